// Two drafts of the pages of a form, side by side: what of one is other than in the other, question by question.
import type { FormContent, FormPage } from "@app/shared/form-content";
import type { Field } from "@app/shared/form-fields";
import { FIELD_TYPE_NAMES, SENSITIVITY_NAMES } from "@app/shared/form-limits";
import { fieldRules, formRules, pageName, plainWords, questionName } from "@app/shared/form-words";

/** One question or page, and what it says, property by property; in the order of the form. */
interface Part {
  id: string;
  name: string;
  says: ReadonlyMap<string, string>;
}

/** What `own` says where `other` says something else. */
export function pagesDifferences(own: FormContent, other: FormContent): string {
  const [ours, theirs] = [partsOf(own), partsOf(other)];
  const has = (parts: readonly Part[], { id }: Part) => parts.find((one) => one.id === id);
  const differing = ours.flatMap((part) => {
    const was = has(theirs, part);
    if (!was) return [`“${part.name}” is there`];
    const keys = [...new Set([...part.says.keys(), ...was.says.keys()])];
    const said = keys
      .filter((key) => part.says.get(key) !== was.says.get(key))
      .map((key) => (key === REST ? "other settings" : `${key} ${part.says.get(key) ?? "not set"}`));
    return said.length > 0 ? [`“${part.name}”: ${said.join(", ")}`] : [];
  });
  const missing = theirs.flatMap((part) => (has(ours, part) ? [] : [`“${part.name}” is not there`]));
  const inBoth = ours.filter((part) => has(theirs, part));
  const theirOrder = theirs.filter((part) => has(ours, part)).map(({ id }) => id);
  const isMoved = inBoth.map(({ id }) => id).join() !== theirOrder.join();
  const order = isMoved ? [`order: ${inBoth.map(({ name }) => name).join(", ")}`] : [];
  return [...differing, ...missing, ...order].join("; ");
}

/** What has no words of its own here. */
const REST = "rest";

const partsOf = (content: FormContent): Part[] =>
  content.pages.flatMap((page) => [
    { id: page.id, name: pageName(content.pages, page), says: pageSays(content, page) },
    ...page.fields.map((field) => ({
      id: field.id,
      name: questionName(field),
      says: fieldSays(content, page, field),
    })),
  ]);

const saying = (pairs: readonly [string, string][]): ReadonlyMap<string, string> =>
  new Map(pairs.filter(([, text]) => text !== ""));
const quoted = (text: string): string => text && `“${text}”`;

const pageSays = (content: FormContent, page: FormPage) =>
  saying([
    ["title", quoted(page.title)],
    ["text", quoted(page.text)],
    [
      "rules",
      formRules(content)
        .filter(({ pageId, fieldId }) => pageId === page.id && fieldId === null)
        .map(({ words }) => quoted(plainWords(words)))
        .join(" and "),
    ],
  ]);

function fieldSays(content: FormContent, page: FormPage, field: Field) {
  const { id: _id, label, type, ...rest } = field;
  const told = new Set(["help", "text", "options", "isRequired", "sensitivity", "visibleIf", "requiredIf", "flag"]);
  const others = Object.entries(rest).filter(([key]) => !told.has(key));
  return saying([
    ["kind", FIELD_TYPE_NAMES[type]],
    ["words", quoted(label)],
    ["help", "help" in field ? quoted(field.help) : ""],
    ["text", "text" in field ? quoted(field.text) : ""],
    ["answers", "options" in field ? field.options.map((option) => quoted(option.label)).join(", ") : ""],
    ["answer needed", "isRequired" in field ? (field.isRequired ? "yes" : "no") : ""],
    ["readers", "sensitivity" in field && field.sensitivity ? SENSITIVITY_NAMES[field.sensitivity] : ""],
    [
      "rules",
      fieldRules(content, page, field)
        .map(({ words }) => quoted(plainWords(words)))
        .join(" and "),
    ],
    [REST, JSON.stringify(others)],
  ]);
}
