// What was agreed for the safety of the parties of a case, in it and in other cases of the same people.
import type { Case } from "@app/shared/cases";
import { type Measure, MEASURE_NAMES, type measuresOfCaseSchema } from "@app/shared/screenings";
import type { z } from "zod";
import type { Logger } from "../../core/logger.ts";
import type { Scope } from "../../core/trpc.ts";
import { findCaseLabels, getCase } from "../cases/cases.service.ts";
import { keptApart, togetherElsewhere } from "../cases/client-cases.service.ts";
import { APART, latestScreenings, latestScreeningsIn } from "./screenings.service.ts";

type Measures = z.infer<typeof measuresOfCaseSchema>;

/** What is to be kept to for the safety of each party who meets another. */
export async function measuresOf({ scope, log }: { scope: Scope; log: Logger }, caseId: string): Promise<Measures> {
  const theCase = await getCase(scope, caseId);
  const latest = await latestScreenings(scope, caseId);
  const partyIds = theCase.parties.map(({ partyId }) => partyId);
  const apart = await keptApart(scope.ownerId, caseId, partyIds);
  const items = theCase.parties
    .map(({ partyId }) => ({
      partyId,
      measures: [...new Set([...(apart.includes(partyId) ? APART : []), ...(latest.get(partyId)?.measures ?? [])])],
    }))
    .filter(({ measures }) => measures.length > 0);
  log.info({ event: "safety measures read", caseId }, "audit");
  return { items, elsewhere: await measuresElsewhere(scope, theCase, items) };
}

/** Of each party what is not agreed here too. */
async function measuresElsewhere(
  scope: Scope,
  { id, parties }: Pick<Case, "id" | "parties">,
  items: Measures["items"],
): Promise<Measures["elsewhere"]> {
  const around = (await togetherElsewhere(scope.ownerId, [id])).get(id) ?? [];
  const places = around.flatMap(({ partyId, elsewhere }) => elsewhere.map((place) => ({ ...place, here: partyId })));
  const caseIds = [...new Set(places.map(({ caseId }) => caseId))];
  const seen = await findCaseLabels(scope, caseIds);
  const latest = await latestScreeningsIn(scope.ownerId, [...seen.keys()]);
  return places.flatMap(({ here: partyId, ...place }) => {
    const known: readonly Measure[] = items.find((item) => item.partyId === partyId)?.measures ?? [];
    const agreed = latest.get(place.caseId)?.get(place.partyId)?.measures ?? [];
    const names = agreed.filter((measure) => !known.includes(measure)).map((measure) => MEASURE_NAMES[measure]);
    const theCase = seen.get(place.caseId);
    const label = parties.find((party) => party.partyId === partyId)?.label ?? "";
    if (!theCase || names.length === 0) return [];
    return [{ partyId, words: `${label} in case ${theCase.caseRef}: ${names.join(", ").toLowerCase()}.` }];
  });
}
