// What lets something of a case out of it is recorded before anything goes.
import type { z } from "zod";
import type { Case } from "@app/shared/cases";
import {
  coversAll,
  DISCLOSURES_MAX,
  type endDisclosureSchema,
  type Ground,
  type recordDisclosureSchema,
} from "@app/shared/disclosures";
import { now } from "../../core/clock.ts";
import { badField, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { tellOfStep } from "../cases/case-changes.service.ts";
import { type CaseDoc, partyIn } from "../cases/case-parties.service.ts";
import { changedCase } from "../cases/cases.service.ts";
import { assertNotLater } from "./days.ts";

/** Records each party's consent, or a court's order; only then may something go out of the mediation. */
export async function recordDisclosure(scope: Scope, input: z.output<typeof recordDisclosureSchema>): Promise<Case> {
  const { disclosureId, what, ground } = input;
  for (const on of daysOf(ground)) await assertNotLater(scope, "ground", on);
  return changedCase(scope, input, async (draft) => {
    if (draft.disclosures.some(({ id }) => id === disclosureId))
      throw badField("disclosureId", "This is recorded already. Reload the page to see it.");
    if (draft.disclosures.length >= DISCLOSURES_MAX)
      throw wrongState(`A case has at most ${DISCLOSURES_MAX} records of what may be told outside it.`);
    assertOfAll(draft, ground);
    draft.disclosures.push({
      id: disclosureId,
      what,
      ground,
      at: now(),
      byName: scope.userName,
      endedAt: null,
      endReason: "",
    });
    const why = ground.kind === "order" ? `order of a court, ${ground.reference}` : "consent of every party";
    await tellOfStep(scope, draft, { text: `May be told outside the mediation (${why}): ${what}` });
  });
}

const daysOf = (ground: Ground): string[] =>
  ground.kind === "order" ? [ground.on] : ground.consents.map(({ on }) => on);

/** One party's consent lets nothing out: it takes everybody's. */
function assertOfAll(draft: CaseDoc, ground: Ground): void {
  if (ground.kind === "order") return;
  for (const { partyId } of ground.consents) partyIn(draft, partyId);
  if (!coversAll(ground, draft.parties))
    throw badField("ground", "It takes the consent of every party of the case, also of those who left it.");
}

export const endDisclosure = (scope: Scope, input: z.output<typeof endDisclosureSchema>): Promise<Case> =>
  changedCase(scope, input, async (draft) => {
    const disclosure = draft.disclosures.find(({ id }) => id === input.disclosureId);
    if (!disclosure) throw badField("disclosureId", "This record is not on the case. Reload the page.");
    if (disclosure.endedAt !== null) throw wrongState("This has ended already.");
    Object.assign(disclosure, { endedAt: now(), endReason: input.reason });
    await tellOfStep(scope, draft, {
      text: `May not be told outside the mediation any more: ${disclosure.what} (${input.reason})`,
    });
  });
