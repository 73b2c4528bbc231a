import type { FinanceCategory } from "@app/shared/finance-categories";
import type { FinanceLine } from "@app/shared/finance-lines";
import type { Figure, Finances } from "@app/shared/finances";

/** What is being done to the statement. */
export type FinanceTask =
  | { kind: "figure"; partyId: string; category: FinanceCategory | ""; figure: Figure | null }
  | { kind: "agree"; line: FinanceLine }
  | { kind: "pair"; figure: Figure }
  | { kind: "exchange" };

/** What each part of the statement is given. */
export interface StatementProps {
  finances: Finances;
  mayChange: boolean;
  mayRecord: boolean;
  onTask: (task: FinanceTask) => void;
}
