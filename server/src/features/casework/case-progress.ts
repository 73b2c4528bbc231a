// How a case and the parties in it move on.
import type { z } from "zod";
import {
  CASE_STATUS_NAMES,
  CASE_TRANSITIONS,
  type CaseStatus,
  PARTY_STATUS_NAMES,
  PARTY_TRANSITIONS,
  type PartyStatus,
  REASONED_PARTY_STATUSES,
  REASONED_STATUSES,
} from "@app/shared/case-states";
import type { addPartySchema, Case, CaseStep, inviteSchema, moveCaseSchema, movePartySchema } from "@app/shared/cases";
import { dayIn } from "@app/shared/days";
import { forParty, PARTIES_MAX, PRACTICE_ONLY } from "@app/shared/visibility";
import { now } from "../../core/clock.ts";
import { badField, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { assertClientsVisible } from "../clients/clients.service.ts";
import { recordEvent } from "../history/history.service.ts";
import { practiceTimeZone } from "../practices/practices.service.ts";
import { enter } from "../cases/case-changes.service.ts";
import { blockersOf } from "./case-gates.ts";
import {
  type CaseDoc,
  equalShares,
  newParty,
  type PartyDoc,
  partyIn,
  statusOf,
} from "../cases/case-parties.service.ts";
import { changedCase, findCaseDoc } from "../cases/cases.service.ts";

const today = async ({ ownerId }: Scope): Promise<string> => dayIn(await practiceTimeZone(ownerId), now());

/** The states that may come next, each with what still stands in its way. */
export async function caseSteps(scope: Scope, id: string): Promise<CaseStep[]> {
  const doc = await findCaseDoc(scope, id);
  return Promise.all(
    CASE_TRANSITIONS[doc.status].map(async (to) => ({ to, blockers: await blockersOf(scope, doc, to) })),
  );
}

/** Moves a case on. PRECONDITION_FAILED names the states that are legal next, or what is still missing. */
export async function moveCase(scope: Scope, input: z.output<typeof moveCaseSchema>): Promise<Case> {
  const { to, reason, outcome } = input;
  const day = await today(scope);
  return changedCase(scope, input, async (draft) => {
    assertLegalStep(draft.status, to);
    if (REASONED_STATUSES.includes(to) && !reason) throw badField("reason", "Say why the case ends here.");
    if (to === "concluded" && !outcome) throw badField("outcome", "Record the outcome before you conclude the case.");
    const blockers = await blockersOf(scope, draft, to);
    if (blockers.length > 0) throw wrongState(blockers.join(" "));
    enter(draft, to, reason);
    if (to === "concluded") Object.assign(draft, { outcome, concludedOn: day });
    moveAllParties(draft);
    await recordEvent(scope, {
      kind: "case",
      text: `Case moved to ${CASE_STATUS_NAMES[to]}`,
      caseId: draft._id,
      clientIds: draft.clientIds,
      visibility: PRACTICE_ONLY,
    });
  });
}

function assertLegalStep(from: CaseStatus, to: CaseStatus): void {
  const legal = CASE_TRANSITIONS[from];
  if (legal.includes(to)) return;
  const names = legal.map((status) => CASE_STATUS_NAMES[status]).join(", ");
  throw wrongState(
    names
      ? `A case in "${CASE_STATUS_NAMES[from]}" can only move to: ${names}.`
      : `A case in "${CASE_STATUS_NAMES[from]}" is over and cannot move on.`,
  );
}

/** What the parties reach together, because the case did. */
function moveAllParties(draft: CaseDoc): void {
  const steps: Partial<Record<CaseStatus, [PartyStatus, PartyStatus]>> = {
    in_mediation: ["agreement_signed", "active"],
    concluded: ["active", "done"],
  };
  const [from, to] = steps[draft.status] ?? [];
  if (!to) return;
  for (const party of draft.parties) {
    if (party.status === from) Object.assign(party, { status: to, statusSince: now() });
  }
}

const STEP_DAYS: Partial<Record<PartyStatus, keyof PartyDoc>> = {
  responded: "respondedOn",
  intake_done: "intakeDoneOn",
  miam_attended: "miamOn",
  suitable: "assessedOn",
  suitable_with_measures: "assessedOn",
  not_suitable: "assessedOn",
  agreement_signed: "agreementSignedOn",
};

/** Moves one party on. PRECONDITION_FAILED names the states that are legal next. */
export async function moveParty(scope: Scope, input: z.output<typeof movePartySchema>): Promise<Case> {
  const { partyId, to, on, reason } = input;
  const latest = await today(scope);
  if (on > latest) throw badField("on", "This day is in the future. Enter the day on which it happened.");
  if (REASONED_PARTY_STATUSES.includes(to) && !reason) throw badField("reason", "Say why.");
  return changedCase(scope, input, async (draft) => {
    const party = partyIn(draft, partyId);
    assertLegalPartyStep(party.status, to);
    const dayField = STEP_DAYS[to];
    Object.assign(party, { ...statusOf(to, now(), party), reason, ...(dayField ? { [dayField]: on } : {}) });
    await recordEvent(scope, {
      kind: "case",
      text: `${party.label}: ${PARTY_STATUS_NAMES[to]}`,
      caseId: draft._id,
      clientIds: [party.clientId],
      visibility: forParty(partyId),
    });
  });
}

function assertLegalPartyStep(from: PartyStatus, to: PartyStatus): void {
  const legal = PARTY_TRANSITIONS[from];
  if (legal.includes(to)) return;
  const names = legal.map((status) => PARTY_STATUS_NAMES[status]).join(", ");
  throw wrongState(
    names
      ? `A party in "${PARTY_STATUS_NAMES[from]}" can only move to: ${names}.`
      : `A party in "${PARTY_STATUS_NAMES[from]}" cannot move on.`,
  );
}

/** Notes one more invitation; the first moves the party to "invited". */
export async function inviteParty(scope: Scope, input: z.output<typeof inviteSchema>): Promise<Case> {
  return changedCase(scope, input, async (draft) => {
    const party = partyIn(draft, input.partyId);
    if (!["to_invite", "invited", "no_response"].includes(party.status))
      throw wrongState(`${party.label} has answered already: ${PARTY_STATUS_NAMES[party.status]}.`);
    party.invited.push({ at: now(), channel: input.channel });
    if (party.status === "to_invite") Object.assign(party, { status: "invited", statusSince: now() });
    await recordEvent(scope, {
      kind: "case",
      text: `${party.label} invited by ${input.channel}`,
      caseId: draft._id,
      clientIds: [party.clientId],
      visibility: forParty(party.partyId),
    });
  });
}

export async function addParty(scope: Scope, input: z.output<typeof addPartySchema>): Promise<Case> {
  await assertClientsVisible(scope, [input.party.clientId]);
  return changedCase(scope, input, async (draft) => {
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
