// What is entered of a case.
import type { z } from "zod";
import type { Case, CreateCase, setFundingSchema, updateCaseSchema, updatePartySchema } from "@app/shared/cases";
import { inTransaction } from "../../core/database.ts";
import { badField } from "../../core/errors.ts";
import { type Keep, KEPT_BY_NOBODY } from "../../core/once.ts";
import type { Scope } from "../../core/trpc.ts";
import { takeRecordTurns } from "../../core/turns.ts";
import { unseenContacts } from "../contacts/contacts.service.ts";
import { assertMayChoose } from "../cases/case-team.service.ts";
import { type CaseDoc, partyIn } from "../cases/case-parties.service.ts";
import { changedCase, createCase } from "../cases/cases.service.ts";

/** In the transaction that names them: throws where a contact is not of this practice, or not for this person's eyes. */
async function assertContacts(scope: Scope, field: string, { after, before }: Record<"after" | "before", string[]>) {
  const named = after.filter((id) => id !== "" && !before.includes(id));
  await takeRecordTurns(scope.ownerId, named);
  if ((await unseenContacts(scope, named)).length > 0) throw badField(field, "Choose a contact of this practice.");
}

const referrer = (scope: Scope, after: Pick<CaseDoc, "referral">, before: Pick<CaseDoc, "referral"> | null) =>
  assertContacts(scope, "referral.contactId", {
    after: [after.referral.contactId],
    before: before ? [before.referral.contactId] : [],
  });

/** Opens a case, with the contacts that it names. */
export const openCase = (scope: Scope, input: CreateCase, keep: Keep = KEPT_BY_NOBODY): Promise<Case> =>
  inTransaction(async () => {
    await referrer(scope, input, null);
    return createCase(scope, input, keep);
  });

export const updateCase = (scope: Scope, { id, version, ...fields }: z.infer<typeof updateCaseSchema>): Promise<Case> =>
  changedCase(scope, { id, version }, async (draft) => {
    await assertMayChoose(scope, [{ after: fields, before: draft }]);
    await referrer(scope, fields, draft);
    Object.assign(draft, fields);
  });

export const updateParty = (
  scope: Scope,
  { id, version, partyId, ...fields }: z.output<typeof updatePartySchema>,
): Promise<Case> =>
  changedCase(scope, { id, version }, async (draft) => {
    const party = partyIn(draft, partyId);
    const [after, before] = [fields.representativeContactIds, party.representativeContactIds];
    await assertContacts(scope, "representativeContactIds", { after, before });
    Object.assign(party, fields);
  });

export const setFunding = (scope: Scope, input: z.output<typeof setFundingSchema>): Promise<Case> =>
  changedCase(scope, input, async (draft) => {
    if (input.parties.length !== draft.parties.length) throw badField("parties", "Set the funding of every party.");
    await assertContacts(scope, "parties", {
      after: input.parties.map(({ funding }) => funding.payerContactId),
      before: draft.parties.map(({ funding }) => funding.payerContactId),
    });
    for (const { partyId, funding } of input.parties) partyIn(draft, partyId).funding = funding;
  });
