// The rules of a form as sentences: "Show Children when Do you have children? is Yes".
import type { FormContent, FormPage } from "./form-content.ts";
import type { Field } from "./form-fields.ts";
import { FIELD_TYPE_NAMES, isPresence, OPERATOR_NAMES, YES_NO_NAMES } from "./form-limits.ts";
import type { Comparison, Condition, ConditionPart } from "./form-logic.ts";
import { formatMoney } from "./money.ts";

/** A piece of a sentence; what somebody named or chose stands out in it. */
export interface Word {
  text: string;
  isName: boolean;
}

export interface SaidRule {
  kind: "show_page" | "jump" | "show" | "need" | "flag";
  pageId: string;
  /** Null for the rules of a page. */
  fieldId: string | null;
  /** Which of the jumps of its page. */
  index: number;
  condition: Condition | null;
  words: Word[];
}

export const plainWords = (words: readonly Word[]): string => words.map(({ text }) => text).join("");

const says = (text: string): Word => ({ text, isName: false });
const names = (text: string): Word => ({ text, isName: true });

/** What a question is called where it has no words yet. */
export const questionName = ({ label, type }: Pick<Field, "label" | "type">): string =>
  label || `${FIELD_TYPE_NAMES[type]} without words`;
export const pageName = (pages: readonly FormPage[], page: FormPage): string =>
  page.title || `Page ${pages.indexOf(page) + 1}`;

/** Every question by its id, those of repeat groups too. */
export const fieldsById = ({ pages }: Pick<FormContent, "pages">): ReadonlyMap<string, Field> =>
  new Map(
    pages
      .flatMap(({ fields }) => fields)
      .flatMap((field): Field[] => (field.type === "repeat_group" ? [field, ...field.fields] : [field]))
      .map((field) => [field.id, field]),
  );

export function conditionWords(content: FormContent, condition: Condition): Word[] {
  const fields = fieldsById(content);
  const partWords = (part: ConditionPart): Word[] =>
    "of" in part
      ? [
          says("("),
          ...joined(
            part.joint,
            part.of.map((one) => comparisonWords(one, fields, content.currency)),
          ),
          says(")"),
        ]
      : comparisonWords(part, fields, content.currency);
  return joined(condition.joint, condition.of.map(partWords));
}

/** "None of them" is said in front, because "not" would stand far from what it means. */
function joined(joint: Condition["joint"], parts: readonly Word[][]): Word[] {
  const between = joint === "and" ? " and " : " or ";
  const words = parts.flatMap((part, index) => (index === 0 ? part : [says(between), ...part]));
  return joint === "not" ? [says("it is not so that "), ...words] : words;
}

function comparisonWords(
  { fieldId, operator, value }: Comparison,
  fields: ReadonlyMap<string, Field>,
  currency: string,
): Word[] {
  const field = fields.get(fieldId);
  const asked = field ? names(questionName(field)) : names("a question that is not there any more");
  if (isPresence(operator)) return [asked, says(` ${OPERATOR_NAMES[operator]}`)];
  const values = Array.isArray(value) ? value : [value];
  const counted = field?.type === "repeat_group" ? [says("the number of "), asked] : [asked];
  const chosen = values.map((one) => names(valueWord(field, one, currency)));
  const list = chosen.flatMap((word, index) => (index === 0 ? [word] : [says(" or "), word]));
  return [...counted, says(` ${OPERATOR_NAMES[operator]} `), ...(list.length > 0 ? list : [names("…")])];
}

function valueWord(field: Field | undefined, value: string | number | null, currency: string): string {
  if (value === null || value === "") return "…";
  if (typeof value === "number")
    return isMoney(field) ? formatMoney({ amountMinor: value, currency }, "en-GB") : String(value);
  if (field?.type === "yes_no") return isYesNo(value) ? YES_NO_NAMES[value] : value;
  if (!field || !("options" in field)) return value;
  const options: readonly { value: string; label: string }[] = field.options;
  return options.find((option) => option.value === value)?.label ?? "an answer that is not there any more";
}

const isYesNo = (value: string): value is keyof typeof YES_NO_NAMES => Object.hasOwn(YES_NO_NAMES, value);
const isMoney = (field: Field | undefined): boolean =>
  field?.type === "money" || (field?.type === "calculated" && field.unit === "money");

/** Every rule of the form, page by page, in the order in which they are asked. */
export function formRules(content: FormContent): SaidRule[] {
  return content.pages.flatMap((page) => [
    ...pageRules(content, page),
    ...page.fields.flatMap((field) => [
      ...fieldRules(content, page, field),
      ...(field.type === "repeat_group" ? field.fields.flatMap((inner) => fieldRules(content, page, inner)) : []),
    ]),
  ]);
}

function pageRules(content: FormContent, page: FormPage): SaidRule[] {
  const { pages } = content;
  const own = { pageId: page.id, fieldId: null };
  const title = pageName(pages, page);
  const shown = page.visibleIf
    ? [
        rule(content, { kind: "show_page", ...own, index: 0, condition: page.visibleIf }, [
          says("Show page "),
          names(title),
        ]),
      ]
    : [];
  const jumps = page.jumps.map(({ when, to }, index) => {
    const target = pages.find(({ id }) => id === to);
    const where =
      to === "end"
        ? [says("end the form")]
        : [says("go on to "), names(target ? pageName(pages, target) : "a page that is not there any more")];
    return rule(content, { kind: "jump", ...own, index, condition: when }, [says("After this page "), ...where]);
  });
  return [...shown, ...jumps];
}

/** The rules of one question. */
export function fieldRules(content: FormContent, page: Pick<FormPage, "id">, field: Field): SaidRule[] {
  const own = { pageId: page.id, fieldId: field.id, index: 0 };
  const name = names(questionName(field));
  return [
    ...("visibleIf" in field && field.visibleIf
      ? [rule(content, { kind: "show", ...own, condition: field.visibleIf }, [says("Show "), name])]
      : []),
    ...("requiredIf" in field && field.requiredIf
      ? [
          rule(content, { kind: "need", ...own, condition: field.requiredIf }, [
            says("An answer to "),
            name,
            says(" is needed"),
          ]),
        ]
      : []),
    ...("flag" in field && field.flag
      ? [
          rule(content, { kind: "flag", ...own, condition: field.flag.when }, [
            says("Tell the mediator "),
            names(field.flag.text),
          ]),
        ]
      : []),
  ];
}

const rule = (content: FormContent, said: Omit<SaidRule, "words">, what: readonly Word[]): SaidRule => ({
  ...said,
  words: said.condition
    ? [...what, says(" when "), ...conditionWords(content, said.condition)]
    : [...what, says(" always")],
});
