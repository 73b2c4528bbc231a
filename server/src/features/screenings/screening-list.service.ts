import type { ScreeningList } from "@app/shared/screenings";
import type { Logger } from "../../core/logger.ts";
import type { Scope } from "../../core/trpc.ts";
import { getCase } from "../cases/cases.service.ts";
import { screenedAgain } from "./screening-gates.service.ts";
import { screeningsOf } from "./screenings.service.ts";

/** Every screening of a case, the one that was held last first, and who is to be screened again; who reads it is logged. */
export async function listScreenings(
  { scope, log }: { scope: Scope; log: Logger },
  caseId: string,
): Promise<ScreeningList> {
  const { parties } = await getCase(scope, caseId);
  const items = await screeningsOf(scope, caseId);
  log.info({ event: "screenings read", caseId, count: items.length }, "audit");
  return { items, again: await screenedAgain(scope, { caseId, parties }) };
}
