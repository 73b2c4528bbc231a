// Somebody joins a case that is there already.
import type { addPartySchema, Case } from "@app/shared/cases";
import { PARTIES_MAX, PRACTICE_ONLY } from "@app/shared/visibility";
import type { z } from "zod";
import { now } from "../../core/clock.ts";
import { badField, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { equalShares, newParty } from "../cases/case-parties.service.ts";
import { changedCase } from "../cases/cases.service.ts";
import { assertClientsVisible } from "../clients/clients.service.ts";
import { recordEvent } from "../history/history.service.ts";
import { assertPeople } from "./family-parties.ts";

export async function addParty(scope: Scope, input: z.output<typeof addPartySchema>): Promise<Case> {
  await assertClientsVisible(scope, [input.party.clientId]);
  return changedCase(scope, input, async (draft) => {
    await assertPeople(scope, draft, { clientIds: [input.party.clientId], field: "clientId" });
    if (draft.clientIds.includes(input.party.clientId))
      throw badField("clientId", "This client is a party to the case already.");
    if (draft.parties.length >= PARTIES_MAX) throw wrongState(`A case has at most ${PARTIES_MAX} parties.`);
    draft.partyCount += 1;
    const joined = { ...newParty(input.party, `P${draft.partyCount}`, now()), joinedAt: now() };
    draft.parties = equalShares([...draft.parties, joined]);
    await recordEvent(scope, {
      kind: "case",
      text: `P${draft.partyCount} joined the case`,
      caseId: draft._id,
      clientIds: [...draft.clientIds, input.party.clientId],
      visibility: PRACTICE_ONLY,
    });
  });
}
