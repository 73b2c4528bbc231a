// What is entered of a case.
import type { z } from "zod";
import type { Case, CreateCase, setFundingSchema, updateCaseSchema, updatePartySchema } from "@app/shared/cases";
import { isKeptUnheard } from "@app/shared/child-inclusive";
import { hasWord } from "@app/shared/has-word";
import { now } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { badField, wrongState } from "../../core/errors.ts";
import { type Keep, KEPT_BY_NOBODY } from "../../core/once.ts";
import type { Scope } from "../../core/trpc.ts";
import { takeRecordTurns } from "../../core/turns.ts";
import { assertContactsLent, noteCases } from "../contacts/contact-cases.service.ts";
import { unseenContacts } from "../contacts/contacts.service.ts";
import { assertNotLater } from "../practices/past-days.service.ts";
import { tellOfStep } from "../cases/case-changes.service.ts";
import { latestScreenings } from "../screenings/screenings.service.ts";
import { assertAlive, assertInCase } from "../cases/case-days.service.ts";
import { askAnew, followAid } from "./case-endings.ts";
import { assertPeople } from "./family-parties.ts";
import { assertStart } from "./start-days.ts";
import { helpersIn } from "../cases/case-sides.service.ts";
import { assertMayChoose } from "../cases/case-team.service.ts";
import { type CaseDoc, partyIn } from "../cases/case-parties.service.ts";
import { changedCase, createCase } from "../cases/cases.service.ts";

type Naming = Pick<CaseDoc, "referral" | "parties">;

const namedIn = (draft: Naming): string[] => [...new Set(helpersIn(draft).map(({ contactId }) => contactId))];

/** In the transaction that names them: throws where a contact is not of this practice, or not for this person to bring. */
async function assertContacts(scope: Scope, ids: string[], { field, caseId }: { field: string; caseId: string }) {
  await takeRecordTurns(scope.ownerId, ids);
  if ((await unseenContacts(scope, ids)).length > 0) throw badField(field, "Choose a contact of this practice.");
  await assertContactsLent(scope, ids, caseId);
}

type Begun = Pick<CaseDoc, "startedOn" | "createdAt" | "children" | "parties">;

/**
 * Nobody was born on a day that is still to come, nor consented or was asked then, before they were born or the case was, or
 * after they had died.
 */
async function assertDaysOf(
  scope: Scope,
  { children, startedOn }: Pick<CreateCase, "children" | "startedOn">,
  before: Begun,
): Promise<void> {
  const begun = { startedOn, createdAt: before.createdAt };
  // What stood there before anybody checked it keeps nobody from changing the rest of the case.
  const known = startedOn === before.startedOn ? JSON.stringify(before.children) : "";
  for (const [index, { childId, dateOfBirth, cim }] of children.entries()) {
    const at = `children.${index}`;
    await assertNotLater(scope, `${at}.dateOfBirth`, dateOfBirth);
    const asked: (readonly [string, string])[] = [
      ...cim.parents.map(({ on }, of) => [`parents.${of}.on`, on] as const),
      ...cim.otherParents.map(({ on }, of) => [`otherParents.${of}.on`, on] as const),
      ["child.on", cim.child.on],
      ["voice.offeredOn", cim.voice.offeredOn],
    ];
    for (const [field, on] of asked) {
      if (known.includes(`"${on}"`)) await assertNotLater(scope, `${at}.cim.${field}`, on);
      else await assertInCase(scope, begun, `${at}.cim.${field}`, on);
      if (on !== "" && on < dateOfBirth)
        throw badField(`${at}.cim.${field}`, "The child was not born by then. Enter the day on which it was said.");
    }
    const stood = before.children.find((one) => one.childId === childId)?.cim.parents ?? [];
    for (const [of, { partyId, on }] of cim.parents.entries()) {
      const party = before.parties.find((one) => one.partyId === partyId);
      const isNew = !stood.some((one) => one.partyId === partyId && one.on === on);
      if (party && isNew) await assertAlive(scope, party, `${at}.cim.parents.${of}.on`, on);
    }
  }
}

/** Where others decided that a child of ten or over is not heard, they say why; what stood there before stays. */
function assertReasons({ children }: Pick<CreateCase, "children">, before: Pick<CaseDoc, "children">): void {
  const known = before.children.map(({ cim }) => JSON.stringify([cim.voice, cim.overrideReason]));
  for (const [index, { cim }] of children.entries())
    if (
      isKeptUnheard(cim) &&
      !hasWord(cim.overrideReason) &&
      !known.includes(JSON.stringify([cim.voice, cim.overrideReason]))
    )
      throw badField(`children.${index}.cim.overrideReason`, "Say why this child is not heard.");
}

/** What is said of a child names the parties of this case alone; a case that is opened has none yet whom it could name. */
function assertOwnParties({ children }: Pick<CreateCase, "children">, parties: readonly { partyId: string }[]): void {
  const known = new Set(parties.map(({ partyId }) => partyId));
  for (const [index, { cim }] of children.entries())
    for (const field of ["parents", "responsibility"] as const)
      if (cim[field].some(({ partyId }) => !known.has(partyId)))
        throw badField(`children.${index}.cim.${field}`, "Choose parties of this case.");
}

/** Opens a case, with the contacts that it names. */
export const openCase = (scope: Scope, input: CreateCase, keep: Keep = KEPT_BY_NOBODY): Promise<Case> =>
  inTransaction(async () => {
    assertOwnParties(input, []);
    assertReasons(input, { children: [] });
    await assertStart(scope, input.startedOn, null);
    await assertDaysOf(scope, input, { startedOn: "", createdAt: now(), children: [], parties: [] });
    const named = namedIn({ referral: input.referral, parties: [] });
    await assertContacts(scope, named, { field: "referral.contactId", caseId: "" });
    const opened = await createCase(scope, input, keep);
    const clientIds = opened.parties.map(({ clientId }) => clientId);
    await assertPeople(scope, input, { clientIds, field: "parties" });
    await noteCases(scope.ownerId, named);
    return opened;
  });

/** Changes a case that names contacts; the field is where they are chosen. Those who come or go belong to it accordingly. */
export const changedNaming = (
  scope: Scope,
  { id, version, field }: { id: string; version: number; field: string },
  change: (draft: CaseDoc) => Promise<void> | void,
): Promise<Case> =>
  inTransaction(async () => {
    let touched: string[] = [];
    const changed = await changedCase(scope, { id, version }, async (draft) => {
      const before = namedIn(draft);
      await change(draft);
      const after = namedIn(draft);
      const added = after.filter((each) => !before.includes(each));
      await assertContacts(scope, added, { field, caseId: id });
      touched = [...added, ...before.filter((each) => !after.includes(each))];
    });
    await noteCases(scope.ownerId, touched);
    return changed;
  });

const FIXED_KIND =
  "Its steps and questions go by the kind of a case, and somebody was screened, met or signed already. End this case as “Opened in error, or twice”, and open one of the right kind.";

/** PRECONDITION_FAILED where what was asked, met or signed by one kind of case would stand in another. */
async function assertKindOpen(scope: Scope, { _id, parties, agreements }: CaseDoc): Promise<void> {
  const hasMet = parties.some(({ miamOn, assessedOn, agreementSignedOn }) => miamOn || assessedOn || agreementSignedOn);
  const isScreened = (await latestScreenings(scope, _id)).size > 0;
  if (hasMet || isScreened || agreements.length > 0) throw wrongState(FIXED_KIND);
}

export const updateCase = (scope: Scope, { id, version, ...fields }: z.infer<typeof updateCaseSchema>): Promise<Case> =>
  changedNaming(scope, { id, version, field: "referral.contactId" }, async (draft) => {
    assertOwnParties(fields, draft.parties);
    await assertStart(scope, fields.startedOn, draft);
    await assertDaysOf(scope, fields, draft);
    assertReasons(fields, draft);
    if (fields.domain !== draft.domain) {
      await assertKindOpen(scope, draft);
      await assertPeople(scope, fields, { clientIds: draft.clientIds, field: "domain" });
    }
    await assertMayChoose(scope, [{ after: fields, before: draft }]);
    const { domain, issueScope } = draft;
    Object.assign(draft, fields);
    if (fields.issueScope !== issueScope || fields.domain !== domain)
      await askAnew(scope, draft, { domain, issueScope });
  });

export const updateParty = (
  scope: Scope,
  { id, version, partyId, ...fields }: z.output<typeof updatePartySchema>,
): Promise<Case> =>
  changedNaming(scope, { id, version, field: "representativeContactIds" }, async (draft) => {
    const party = partyIn(draft, partyId);
    if (fields.consentedOn !== party.consentedOn) {
      await assertInCase(scope, draft, "consentedOn", fields.consentedOn);
      await assertAlive(scope, party, "consentedOn", fields.consentedOn);
      party.consentRecordedAt = fields.consentedOn === "" ? null : now();
    }
    if (fields.side !== party.side)
      await tellOfStep(scope, draft, {
        text: `${party.label} stands ${fields.side === "" ? "on a side of their own" : `on the side “${fields.side}”`} now`,
      });
    Object.assign(party, fields);
  });

export const setFunding = (scope: Scope, { id, version, parties }: z.output<typeof setFundingSchema>): Promise<Case> =>
  changedNaming(scope, { id, version, field: "parties" }, async (draft) => {
    const before = draft.parties.map(({ partyId, funding }) => ({ partyId, funding }));
    if (parties.length !== draft.parties.length) throw badField("parties", "Set the funding of every party.");
    for (const { partyId, funding } of parties) partyIn(draft, partyId).funding = funding;
    await followAid(scope, draft, before);
  });
