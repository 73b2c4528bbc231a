import type { Scope } from "../../core/trpc.ts";
import { statementOf } from "./statements.ts";

/** When the figures of this case were exchanged last; null before. */
export const lastExchangeAt = async (scope: Scope, caseId: string): Promise<Date | null> =>
  (await statementOf(scope, caseId)).exchanges.at(-1)?.at ?? null;
