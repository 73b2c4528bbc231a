// Two drafts of the pages of a form, side by side: what of a question or page is other in one than in the other.
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

/** What the page or question `id` says in `own` where it says something else in `other`. */
export function partText(own: FormContent, other: FormContent, id: string): string {
  const [part, was] = [own, other].map((content) => partsOf(content).find((one) => one.id === id));
  if (!part) return "not there";
  if (!was) return `“${part.name}” is there`;
  return [...new Set([...part.says.keys(), ...was.says.keys()])]
    .filter((key) => part.says.get(key) !== was.says.get(key))
    .map((key) => (key === REST ? "other settings" : `${key} ${part.says.get(key) ?? "not set"}`))
    .join(", ");
}

/** In which order those stand that are in both. */
export function orderText(own: FormContent, other: FormContent): string {
  const theirs = new Set(partsOf(other).map(({ id }) => id));
  return partsOf(own)
    .filter(({ id }) => theirs.has(id))
    .map(({ name }) => name)
    .join(", ");
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
