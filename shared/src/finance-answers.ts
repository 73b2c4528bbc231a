// Which figures stand in the answers to the questionnaire for financial disclosure. What a practice asks besides is not
// taken over by itself: somebody enters it. Free of zod.
import { answerTo, type Answers, rowsOf } from "./form-answers.ts";
import type { FormContent } from "./form-content.ts";
import type { Field } from "./form-fields.ts";
import { rowIdOf, withRowIds } from "./form-rows.ts";
import { FIGURE_LABEL_MAX_LENGTH, type FigureOwner, type FinanceCategory } from "./finance-categories.ts";
import type { GivenFigure } from "./finances.ts";

/** A figure as it was answered. */
export interface AnsweredFigure extends Omit<GivenFigure, "asOf" | "evidenceFileId"> {
  /** Which answer it is: the same in every version of the same answers. */
  key: string;
  /** The question that it answers: whoever may read that may read the figure. */
  fieldId: string;
}

export interface AnsweredFinances {
  figures: AnsweredFigure[];
  /** Of what they said that there is none. */
  noneIn: FinanceCategory[];
}

interface Row {
  group: string;
  amount: string;
  /** Where its name stands; what it is where nobody named it. */
  name: string;
  kind?: string;
  /** By what they chose, or always the same. */
  category: FinanceCategory | Record<string, FinanceCategory>;
  owner?: { field: string; as: Record<string, FigureOwner> };
  /** Before the name. */
  prefix?: string;
  /** Left out where nothing was answered; otherwise it is still to come. */
  isOptional?: true;
}

const MINE_OR_JOINT = { mine: "own", joint: "joint" } as const;
const PROPERTY_OWNER = {
  field: "property_owner",
  as: { me: "own", both: "joint", other: "other", else: "outside" },
} as const;

/** By the names of the questions in the questionnaire of that kind. */
const ROWS: readonly Row[] = [
  {
    group: "properties",
    name: "property_address",
    amount: "property_value",
    category: "property",
    owner: PROPERTY_OWNER,
  },
  {
    group: "properties",
    name: "property_address",
    prefix: "Mortgage on ",
    amount: "property_mortgage",
    category: "debts",
    owner: PROPERTY_OWNER,
    isOptional: true,
  },
  {
    group: "assets",
    name: "asset_name",
    kind: "asset_kind",
    amount: "asset_value",
    category: {
      account: "accounts",
      savings: "savings",
      shares: "savings",
      insurance: "savings",
      business: "business",
      car: "other",
      other: "other",
    },
    owner: { field: "asset_owner", as: MINE_OR_JOINT },
  },
  {
    group: "debts",
    name: "debt_name",
    amount: "debt_amount",
    category: "debts",
    owner: { field: "debt_owner", as: MINE_OR_JOINT },
  },
  { group: "pensions", name: "pension_provider", amount: "pension_value", category: "pensions" },
  { group: "incomes", name: "", kind: "income_kind", amount: "income_amount", category: "income" },
];

/** Amounts that are asked by themselves. */
const OUTGOINGS = ["rent_or_mortgage", "bills", "food", "travel", "children_costs", "other_costs"];

/** In the order in which they were asked. `isReadable` says of a question whether its answer may be taken. */
export function figuresIn(
  form: Pick<FormContent, "pages">,
  answers: Answers,
  isReadable: (field: Field) => boolean,
): AnsweredFinances {
  const fields = form.pages.flatMap((page) => page.fields).filter(isReadable);
  const figures = fields.flatMap((field): AnsweredFigure[] => {
    if (field.type === "repeat_group")
      return ROWS.filter(({ group }) => group === field.id).flatMap((row) => rowFigures(field, row, answers));
    if (field.type !== "money" || !OUTGOINGS.includes(field.id)) return [];
    const amountMinor = amountIn(answers, field.id);
    if (amountMinor === null) return [];
    const { id: fieldId, label } = field;
    return [{ key: fieldId, fieldId, category: "outgoings", label, amountMinor, owner: "own" }];
  });
  const saidNoPensions = fields.some(({ id }) => id === "has_pensions") && answerTo(answers, "has_pensions") === "no";
  return { figures, noneIn: saidNoPensions ? ["pensions"] : [] };
}

type Group = Extract<Field, { type: "repeat_group" }>;

function rowFigures(group: Group, row: Row, answers: Answers): AnsweredFigure[] {
  return withRowIds(rowsOf(answerTo(answers, group.id))).flatMap((given): AnsweredFigure[] => {
    const amountMinor = amountIn(given, row.amount);
    const kind = row.kind ? textIn(given, row.kind) : "";
    const name = textIn(given, row.name) || optionName(group, row.kind, kind);
    if (name === "" || (row.isOptional && amountMinor === null)) return [];
    const category = typeof row.category === "string" ? row.category : (row.category[kind] ?? "other");
    return [
      {
        key: `${group.id}.${rowIdOf(given)}.${row.amount}`,
        fieldId: group.id,
        category,
        label: `${row.prefix ?? ""}${name}`.slice(0, FIGURE_LABEL_MAX_LENGTH),
        amountMinor,
        owner: (row.owner && row.owner.as[textIn(given, row.owner.field)]) ?? "own",
      },
    ];
  });
}

function amountIn(answers: Answers, fieldId: string): number | null {
  const answer = answerTo(answers, fieldId);
  return typeof answer === "number" ? answer : null;
}

function textIn(answers: Answers, fieldId: string): string {
  const answer = answerTo(answers, fieldId);
  return typeof answer === "string" ? answer.trim() : "";
}

function optionName(group: Group, fieldId: string | undefined, value: string): string {
  const field = group.fields.find(({ id }) => id === fieldId);
  return field && "options" in field ? (field.options.find((option) => option.value === value)?.label ?? "") : "";
}
