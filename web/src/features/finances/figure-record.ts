import {
  FIGURE_OWNER_NAMES,
  FINANCE_CATEGORY_NAMES,
  type FinanceCategory,
  type FigureOwner,
} from "@app/shared/finance-categories";
import { type Figure, type GivenFigure, givenFigureSchema } from "@app/shared/finances";
import { validateWith } from "../../core/validate.ts";
import { plainFields } from "../../ui/version-fields.ts";
import { amountProblem, readAmount, typedAmount } from "../../ui/amount-field.tsx";

/** A figure as it stands in the form. */
export interface FigureValues {
  category: FinanceCategory | "";
  label: string;
  amount: string;
  owner: FigureOwner | "";
  asOf: string;
  evidenceFileId: string;
}

export const emptyFigure = (category: FinanceCategory | ""): FigureValues => ({
  category,
  label: "",
  amount: "",
  owner: "",
  asOf: "",
  evidenceFileId: "",
});

export const figureValues = (figure: Figure, currency: string): FigureValues => ({
  category: figure.category,
  label: figure.label,
  amount: typedAmount(figure.amountMinor, currency),
  owner: figure.owner,
  asOf: figure.asOf,
  evidenceFileId: figure.evidenceFileId ?? "",
});

const given = ({ amount, evidenceFileId, ...rest }: FigureValues, currency: string) => ({
  ...rest,
  amountMinor: readAmount(amount, currency),
  evidenceFileId: evidenceFileId || null,
});

/** What is sent; call it on values that `figureProblems` finds nothing in. */
export const figureOf = (values: FigureValues, currency: string): GivenFigure =>
  givenFigureSchema.parse(given(values, currency));

const check = validateWith(givenFigureSchema);

export function figureProblems(values: FigureValues, currency: string): Record<string, string> {
  const amount = amountProblem(values.amount, currency);
  return {
    ...check(given(values, currency)),
    ...(values.category === "" ? { category: "Choose what kind of thing it is" } : {}),
    ...(values.owner === "" ? { owner: "Choose whose it is" } : {}),
    ...(amount === "" ? {} : { amount }),
  };
}

/** What two versions of a figure are compared by, and in which words. */
export const figureFields = (fileName: (id: string) => string) =>
  plainFields<FigureValues>(
    {
      category: "Kind",
      label: "What it is",
      amount: "Amount",
      owner: "Whose it is",
      asOf: "Day of the figure",
      evidenceFileId: "Paper that shows it",
    },
    {
      category: (category) => (category === "" ? "" : FINANCE_CATEGORY_NAMES[category]),
      owner: (owner) => (owner === "" ? "" : FIGURE_OWNER_NAMES[owner]),
      evidenceFileId: fileName,
    },
  );
