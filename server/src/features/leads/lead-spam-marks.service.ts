// What is marked with a lead that is spam, or is none after all: each feature that keeps something of it says so.
import type { Scope } from "../../core/trpc.ts";

type Mark = (scope: Scope, of: { leadId: string; isSpam: boolean }) => Promise<void>;
const marks: Mark[] = [];

/** Called once, beside what keeps something of a lead; it runs in the transaction that marks the lead. */
export const defineLeadSpamMark = (mark: Mark): void => void marks.push(mark);

export async function markWithLead(scope: Scope, of: Parameters<Mark>[1]): Promise<void> {
  for (const mark of marks) await mark(scope, of);
}
