// The parties of a case as they are stored.
import { LEFT_PARTY_STATUSES, type PartyStatus } from "@app/shared/case-states";
import { type CreateCase, WHOLE_SHARE_BP } from "@app/shared/cases";
import { notFound } from "../../core/errors.ts";
import { newId } from "../../core/ids.ts";
import { takeTurnOf } from "../../core/turns.ts";
import type { CaseDoc, End, PartyDoc } from "./cases.model.ts";

export type { CaseDoc, End, PartyDoc };

export function partyIn(draft: CaseDoc, partyId: string): PartyDoc {
  const party = draft.parties.find((one) => one.partyId === partyId);
  if (!party) throw notFound("Party");
  return party;
}

/** What a party's status says of whether they are in the case still. */
export function statusOf(status: PartyStatus, at: Date, before: PartyDoc | null = null) {
  const leftBefore = before?.leftAt ?? null;
  const absences = before?.absences ?? [];
  const standing = { status, statusSince: at, absences };
  if (LEFT_PARTY_STATUSES.includes(status)) return { ...standing, leftAt: leftBefore ?? at };
  if (!leftBefore) return { ...standing, leftAt: null };
  return { ...standing, leftAt: null, absences: [...absences, { from: leftBefore, to: at }] };
}

/** Somebody joins a case: nothing is known of them yet. */
export const newParty = (party: CreateCase["parties"][number], label: string, at: Date): PartyDoc => ({
  ...party,
  partyId: newId(),
  label,
  status: "to_invite",
  statusSince: at,
  joinedAt: null,
  leftAt: null,
  absences: [],
  reason: "",
  steps: [],
  respondedOn: "",
  intakeDoneOn: "",
  miamOn: "",
  assessedOn: "",
  consentedOn: "",
  consentRecordedAt: null,
  agreementSignedOn: "",
  contactAgreement: null,
  isInvitationWaiting: false,
  funding: { type: "private", shareBp: 0, payerContactId: "" },
  representativeContactIds: [],
});

/** Equal parts that make the whole; the first takes what does not divide. */
export function equalShares(parties: PartyDoc[]): PartyDoc[] {
  const part = Math.floor(WHOLE_SHARE_BP / parties.length);
  const first = WHOLE_SHARE_BP - part * (parties.length - 1);
  return parties.map((party, index) => ({
    ...party,
    funding: { ...party.funding, shareBp: index === 0 ? first : part },
  }));
}

/** Of somebody who joins or returns to a case, and what is told to all of it at that moment, one comes after the other. */
export const takePartiesTurn = (ownerId: string, caseId: string): Promise<void> =>
  takeTurnOf(ownerId, `parties:${caseId}`);
