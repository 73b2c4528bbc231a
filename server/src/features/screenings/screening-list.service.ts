import type { Case } from "@app/shared/cases";
import type { ScreeningList } from "@app/shared/screenings";
import type { Logger } from "../../core/logger.ts";
import type { Scope } from "../../core/trpc.ts";
import { getCase } from "../cases/cases.service.ts";
import { foundElsewhereIn, wordsOfElsewhere } from "./found-elsewhere.service.ts";
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
  const again = await screenedAgain(scope, { caseId, parties });
  return { items, again, elsewhere: await elsewhereOf(scope, { caseId, parties }) };
}

async function elsewhereOf(
  scope: Scope,
  { caseId, parties }: { caseId: string; parties: Case["parties"] },
): Promise<ScreeningList["elsewhere"]> {
  const found = (await foundElsewhereIn(scope.ownerId, [caseId])).get(caseId);
  const open = parties.flatMap(({ partyId, label }) =>
    (found?.get(partyId) ?? []).map((one) => ({ ...one, partyId, label })),
  );
  const words = await wordsOfElsewhere(scope, open);
  return open.map(({ partyId, screeningId }, index) => ({ partyId, screeningId, words: words[index] ?? "" }));
}
