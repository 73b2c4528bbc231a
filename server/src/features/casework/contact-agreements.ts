// Whoever came first says whether the others may be contacted, and whether they are told who asks.
import type { z } from "zod";
import type { Case } from "@app/shared/cases";
import {
  agreesSince,
  type ContactAgreement,
  firstSide,
  isAskedOf,
  type recordContactAgreementSchema,
} from "@app/shared/contact-agreements";
import { badField } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { tellOfStep } from "../cases/case-changes.service.ts";
import { assertAlive } from "../cases/case-days.service.ts";
import { type PartyDoc, partyIn } from "../cases/case-parties.service.ts";
import { changedCase } from "../cases/cases.service.ts";
import { assertNotLater } from "../practices/past-days.service.ts";

export async function recordContactAgreement(
  scope: Scope,
  input: z.output<typeof recordContactAgreementSchema>,
): Promise<Case> {
  const { id, version, partyId, ...said } = input;
  await assertNotLater(scope, "on", said.on);
  return changedCase(scope, { id, version }, async (draft) => {
    const party = partyIn(draft, partyId);
    if (!firstSide(draft.domain, draft.parties).includes(party))
      throw badField("partyId", "Only the person who came first decides this. Open their record.");
    await assertAlive(scope, party, "on", said.on);
    party.contactAgreement = { ...said, ...sinceOf(draft.parties, party, said), byName: scope.userName };
    const does = said.isAgreed ? "agrees" : "does not agree";
    const named = said.isNamed ? ", and to be named" : "";
    await tellOfStep(scope, draft, { text: `${party.label} ${does} that the others are contacted${named}` });
  });
}

type Said = Pick<ContactAgreement, "isAgreed" | "on">;

/** What is said again of somebody who joined leaves standing since when they agree; anything else corrects it. */
function sinceOf(parties: readonly PartyDoc[], { contactAgreement: before }: PartyDoc, said: Said) {
  const since = agreesSince(before);
  const isOfNewcomer = parties.some((one) => !isAskedOf({ contactAgreement: before }, one));
  return since !== null && said.isAgreed && isOfNewcomer && since < said.on ? { since } : {};
}
