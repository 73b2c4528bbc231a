// What a financial statement is made of. Free of zod, because the page that shows it loads it.
export const FINANCE_CATEGORIES = [
  "property",
  "accounts",
  "savings",
  "business",
  "other",
  "pensions",
  "debts",
  "income",
  "outgoings",
] as const;
export type FinanceCategory = (typeof FINANCE_CATEGORIES)[number];

export const FINANCE_CATEGORY_NAMES = {
  property: "Homes and land",
  accounts: "Bank accounts",
  savings: "Savings and investments",
  business: "Business interests",
  other: "Other things of value",
  pensions: "Pensions",
  debts: "Mortgages and debts",
  income: "Income each month",
  outgoings: "Spending each month",
} as const satisfies Record<FinanceCategory, string>;

export const FIGURE_OWNERS = ["own", "joint", "other", "outside"] as const;
export type FigureOwner = (typeof FIGURE_OWNERS)[number];

/** As whoever gives the figure says it. */
export const FIGURE_OWNER_NAMES = {
  own: "Theirs alone",
  joint: "Joint with the other participant",
  other: "The other participant’s",
  outside: "Shared with somebody else",
} as const satisfies Record<FigureOwner, string>;

export const FIGURE_LABEL_MAX_LENGTH = 120;

/** Figures of one kind that are dated further apart than this do not say the same time. */
export const FIGURES_APART_MONTHS = 3;
