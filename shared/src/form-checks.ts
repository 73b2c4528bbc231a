// Whether a form can be published: what is missing in it, and what nobody can reach.
import { FORM_END, type FormContent, type FormPage } from "./form-content.ts";
import { type Field, isAsked } from "./form-fields.ts";
import { isForPractice } from "./form-readers.ts";
import type { FormKind } from "./form-kinds.ts";
import { FORM_FIELDS_MAX } from "./form-limits.ts";
import { type FormProblem, nameOf, ruleProblems } from "./form-rule-checks.ts";
import { type AnswerTarget, fitsTarget, NEEDED_LEAD_TARGETS, TARGETS } from "./form-targets.ts";

/** What stands in the way, the whole form first, then page by page; none where the form can be published. */
export function formProblems(form: FormContent, kind: FormKind): FormProblem[] {
  return [
    ...wholeProblems(form),
    ...readerProblems(form),
    ...targetProblems(form, kind),
    ...form.pages.flatMap((page) => [
      ...pageProblems(form, page),
      ...page.fields.flatMap((field, at) =>
        fieldProblems(field, `Question ${at + 1}`).map((text) => ({ pageId: page.id, fieldId: field.id, text })),
      ),
    ]),
    ...ruleProblems(form),
  ];
}

function wholeProblems(form: FormContent): FormProblem[] {
  const fields = form.pages.flatMap((page) => page.fields);
  const inner = fields.flatMap((field) => (field.type === "repeat_group" ? field.fields : []));
  const ids = [...form.pages, ...fields, ...inner].map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  const say = (text: string) => [{ pageId: null, fieldId: null, text }];
  return [
    ...(form.title ? [] : say("Give the form a title.")),
    ...(form.thanks.title ? [] : say("Say what stands there once the form was sent.")),
    ...(twice === undefined ? [] : say(`Two parts have the internal name ${twice}. Take one out and add it anew.`)),
    ...(fields.some(isAsked) ? [] : say("Add at least one question.")),
    ...(fields.length + inner.length > FORM_FIELDS_MAX ? say(`Use at most ${FORM_FIELDS_MAX} questions.`) : []),
  ];
}

/** Who reads answers is nobody's guess: somebody says it, for all or for each. */
function readerProblems({ pages, readers }: FormContent): FormProblem[] {
  if (readers) return [];
  const [first, ...more] = pages.flatMap((page) =>
    page.fields.flatMap((field) =>
      "sensitivity" in field && field.sensitivity === null ? [{ pageId: page.id, field }] : [],
    ),
  );
  if (!first) return [];
  const which = more.length > 0 ? `${nameOf(first.field)} and ${more.length} more` : nameOf(first.field);
  const text = `Say who reads the answer to ${which}: there, or for all questions in the settings of the form.`;
  return [{ pageId: first.pageId, fieldId: first.field.id, text }];
}

/** One answer for each thing that it is saved to, of a type that fits; a lead cannot be without a name and an address. */
function targetProblems(form: FormContent, kind: FormKind): FormProblem[] {
  const mapped = form.pages.flatMap((page) =>
    page.fields.flatMap((field) =>
      "mapTo" in field && field.mapTo ? [{ pageId: page.id, field, target: field.mapTo }] : [],
    ),
  );
  const problems = mapped.flatMap(({ pageId, field, target }, index) => {
    const text =
      targetProblem(field, target, kind, mapped.findIndex((other) => other.target === target) < index) ??
      leadReaderProblem(form, field, target);
    return text ? [{ pageId, fieldId: field.id, text }] : [];
  });
  const missing = NEEDED_LEAD_TARGETS.filter((target) => !mapped.some((one) => one.target === target));
  if (kind !== "lead") return problems;
  return [
    ...problems,
    ...missing.map((target) => ({
      pageId: null,
      fieldId: null,
      text: `No question is saved to “${TARGETS[target].name}”. A lead cannot be without it.`,
    })),
  ];
}

/** What becomes of a lead, its client, is read by the whole practice. */
function leadReaderProblem(form: FormContent, field: Field, target: AnswerTarget): string | null {
  if (!target.startsWith("lead.") || isForPractice(form, field)) return null;
  return `Fewer people may read the answer to ${nameOf(field)}, or what it is asked because of, than a client’s record. Let the practice team read it, or do not save it to “${TARGETS[target].name}”.`;
}

function targetProblem(field: Field, target: AnswerTarget, kind: FormKind, isTaken: boolean): string | null {
  const { name } = TARGETS[target];
  if (target.startsWith("lead.") !== (kind === "lead"))
    return `${nameOf(field)} is saved to “${name}”, which this kind of form does not have.`;
  if (!fitsTarget(target, field.type)) return `The answer to ${nameOf(field)} does not fit “${name}”.`;
  return isTaken ? `Two questions are saved to “${name}”. Choose one of them.` : null;
}

function pageProblems({ pages }: FormContent, page: FormPage): FormProblem[] {
  const at = pages.indexOf(page);
  const say = (text: string) => ({ pageId: page.id, fieldId: null, text });
  const backwards = page.jumps.filter(({ to }) => to !== FORM_END && pages.findIndex(({ id }) => id === to) <= at);
  return [
    ...(page.title ? [] : [say(`Give page ${at + 1} a title.`)]),
    ...(page.fields.length === 0 ? [say(`Page ${at + 1} is empty. Add a question, or take the page out.`)] : []),
    ...(backwards.length > 0 ? [say(`A jump from page ${at + 1} does not lead to a later page.`)] : []),
    ...(isReachable(pages, at) ? [] : [say(`Nobody can reach page ${at + 1}: a jump before it always leads past it.`)]),
  ];
}

/** Whether some way through the jumps comes by this page. */
function isReachable(pages: readonly FormPage[], at: number): boolean {
  const reached = new Set([0]);
  for (const [index, page] of pages.entries()) {
    if (!reached.has(index)) continue;
    const always = page.jumps.findIndex(({ when }) => when === null);
    const jumps = always === -1 ? page.jumps : page.jumps.slice(0, always + 1);
    for (const { to } of jumps) reached.add(pages.findIndex(({ id }) => id === to));
    // A page that is not shown leads on to the next one, whatever its jumps say.
    if (always === -1 || page.visibleIf !== null) reached.add(index + 1);
  }
  return reached.has(at);
}

/** `place` is what a question without words is called. */
function fieldProblems(field: Field, place: string): string[] {
  const name = field.label === "" ? place : nameOf(field);
  const inner =
    field.type === "repeat_group"
      ? field.fields.flatMap((one, at) => fieldProblems(one, `Question ${at + 1} in ${name}`))
      : [];
  const own = [
    !("label" in field) || field.label || field.type === "statement"
      ? null
      : `${place} has no words. Write what it asks.`,
    "options" in field && field.options.length < 2 ? `${name} needs at least two answers to choose from.` : null,
    "options" in field && field.options.some(({ label }) => !label) ? `An answer of ${name} has no words.` : null,
    "options" in field && repeats(field.options) ? `Two answers of ${name} are the same.` : null,
    field.type === "matrix" && (field.rows.length === 0 || field.columns.length < 2)
      ? `${name} needs a row and two columns.`
      : null,
    field.type === "repeat_group" && field.fields.length === 0 ? `${name} has no questions.` : null,
    (field.type === "repeat_group" || field.type === "any_of") && isUpsideDown(field.atLeast, field.atMost)
      ? `${name} asks for more answers than it allows.`
      : null,
    (field.type === "number" || field.type === "money") && isUpsideDown(field.min, field.max)
      ? `${name} asks for an amount above the largest that it allows.`
      : null,
    ...pictureProblems(field, name),
    field.type === "rating" && field.from >= field.to ? `${name} needs a range of numbers.` : null,
    field.type === "consent" && !field.text ? `Write what people agree to in ${name}.` : null,
    field.type === "statement" && !field.text && !field.label && !field.pictureId ? "A statement says nothing." : null,
    field.type === "hidden" && !field.parameter ? `Name the part of the address that ${name} is taken from.` : null,
    field.type === "calculated" && field.terms.length === 0 ? `Choose what ${name} adds up.` : null,
  ];
  return [...own.filter((text) => text !== null), ...inner];
}

function pictureProblems(field: Field, name: string): string[] {
  if (field.type !== "picture_choice") return [];
  const bare = field.options.filter(({ pictureId }) => pictureId === "").length;
  const unsaid = field.options.find(({ pictureId, alt }) => pictureId !== "" && !alt);
  return [
    ...(bare > 0 ? [`Add a picture to each answer of ${name}.`] : []),
    ...(unsaid ? [`Say what the picture of “${unsaid.label}” shows, in ${name}: some people do not see it.`] : []),
  ];
}

const repeats = (options: readonly { value: string; label: string }[]): boolean =>
  new Set(options.map(({ value }) => value)).size < options.length ||
  new Set(options.map(({ label }) => label.toLowerCase())).size < options.length;

const isUpsideDown = (least: number | null, most: number | null): boolean =>
  least !== null && most !== null && least > most;
