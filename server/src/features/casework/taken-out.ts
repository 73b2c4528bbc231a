// A party who was added by mistake is taken out, as if they had never been there: nobody asked them anything, and they know
// of nothing. What stays is the line of the history that says so.
import type { Case, takeOutPartySchema } from "@app/shared/cases";
import { mustNotBeContacted } from "@app/shared/contact-agreements";
import { answersFor } from "@app/shared/team-access";
import type { z } from "zod";
import { inTransaction } from "../../core/database.ts";
import { forbidden, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { tellOfStep } from "../cases/case-changes.service.ts";
import { type CaseDoc, equalShares, type PartyDoc, partyIn, takePartiesTurn } from "../cases/case-parties.service.ts";
import { tracesOf } from "../cases/party-traces.service.ts";
import { dropSide } from "../contacts/contact-cases.service.ts";
import { changedNaming } from "./case-editing.service.ts";

const ONLY_THEY_TAKE_OUT =
  "Nobody is to contact this party. Only a mediator of this case, or the owner, takes them out of it.";

/** PRECONDITION_FAILED says what is recorded of them, and what to do instead. */
export const takeOutParty = (
  scope: Scope,
  { id, version, partyId, reason }: z.output<typeof takeOutPartySchema>,
): Promise<Case> =>
  inTransaction(async () => {
    // What is kept of them at this moment is found, or refused.
    await takePartiesTurn(scope.ownerId, id);
    const changed = await changedNaming(scope, { id, version, field: "partyId" }, async (draft) => {
      const party = partyIn(draft, partyId);
      // From then on nothing keeps them from being written to.
      if (mustNotBeContacted(draft, party) && !answersFor(scope, draft.mediators)) throw forbidden(ONLY_THEY_TAKE_OUT);
      await assertNothingOf(scope, draft, party);
      await tellOfStep(scope, draft, { text: `${party.label} taken out of the case, because: ${reason}` });
      draft.parties = equalShares(draft.parties.filter((one) => one !== party));
      for (const { cim } of draft.children)
        cim.responsibility = cim.responsibility.filter((one) => one.partyId !== partyId);
    });
    // Whoever was named or linked on their side stood on nobody's: no mail to them is judged by it.
    await dropSide(scope.ownerId, { caseId: id, partyId });
    return changed;
  });

async function assertNothingOf(scope: Scope, draft: CaseDoc, party: PartyDoc): Promise<void> {
  const { partyId, clientId, label } = party;
  if (draft.parties.length === 1)
    throw wrongState(`${label} is the only party of this case. Add the right one first, or end the case.`);
  const found = [...recordedIn(draft, party), ...(await tracesOf(scope, { caseId: draft._id, partyId, clientId }))];
  if (found.length > 0)
    throw wrongState(
      `${label} cannot be taken out of the case: ${found.join(", ")}. Take back first what was recorded in error, or record that they withdrew.`,
    );
}

/** What the case itself says of them, in words; empty where nothing is. */
function recordedIn(draft: CaseDoc, party: PartyDoc): string[] {
  const { partyId, status, steps, respondedOn, intakeDoneOn, miamOn, assessedOn } = party;
  const { consentedOn, agreementSignedOn, contactAgreement, funding } = party;
  const days = [respondedOn, intakeDoneOn, miamOn, assessedOn, consentedOn, agreementSignedOn];
  const hasMoved = status !== "to_invite" || steps.length > 0;
  const { agreements, newAgreement, disclosures, outcome, rounds, children } = draft;
  const saidOfAll = [agreements, newAgreement, disclosures, outcome, rounds, children.map(({ cim }) => cim.parents)];
  return [
    hasMoved || contactAgreement !== null || days.some((day) => day !== "") ? "a step or an answer is recorded" : "",
    funding.type === "legal_aid" ? "legal aid is recorded for them" : "",
    JSON.stringify(saidOfAll).includes(partyId) ? "a consent, a signature or a document of theirs is recorded" : "",
  ].filter(Boolean);
}
