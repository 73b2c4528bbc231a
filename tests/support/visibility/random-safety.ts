import { inTransaction } from "@app/server/core/database";
import type { Scope } from "@app/server/core/trpc";
import { addEntry } from "@app/server/features/safeguarding/safeguarding.service";
import { completeScreening } from "@app/server/features/screenings/screenings.service";
import type { Case } from "@app/shared/cases";
import { MEDIATOR_ONLY } from "@app/shared/visibility";
import { daysAgo } from "../server/assessments.ts";
import { anEntry } from "../server/safeguarded.ts";
import { aScreening, withMeasures } from "../server/screened.ts";
import type { Secret } from "./random-case.ts";

/** What was found of everybody's safety, and what was done about it: for no party, and for few of the practice. */
export async function safeguard(scope: Scope, theCase: Case, name: string): Promise<Secret[]> {
  const word = (what: string) => `${name}${what}end`;
  // Before the MIAM of one of them.
  const heldOn = daysAgo(30);
  const screening = (partyId: string) =>
    aScreening(theCase, partyId, { heldOn, reasons: word("reasons"), ...withMeasures("no_contact_details") });
  for (const { partyId } of theCase.parties) await completeScreening(scope, screening(partyId));
  for (const kind of ["concern", "suspicious_activity"] as const) {
    const entry = anEntry(theCase.id, { kind, concern: word(kind) });
    await inTransaction(() => addEntry(scope, entry));
  }
  return (
    [
      ["reasons", "screening"],
      ["concern", "safeguarding"],
      ["suspicious_activity", "suspicion"],
    ] as const
  ).map(([what, kind]) => ({
    canary: word(what).toLowerCase(),
    kind,
    visibility: MEDIATOR_ONLY,
    readers: new Set(),
    since: new Date(),
    changedAt: new Date(),
  }));
}
