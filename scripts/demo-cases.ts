// Cases of the invented practice, in every state.
import { ROLES } from "@app/shared/access";
import { isMediatorOf, mayMediate } from "@app/shared/team-access";
import { NOT_INCLUDED } from "@app/shared/child-inclusive";
import type { PartyStatus } from "@app/shared/case-states";
import type { Case } from "@app/shared/cases";
import type { Client } from "@app/shared/clients";
import { toolFor } from "@app/shared/screening-tools";
import { addDays } from "@app/shared/days";
import { newId } from "@app/server/core/ids";
import type { Scope } from "@app/server/core/trpc";
import { recordAssessment } from "@app/server/features/assessments/assessments.service";
import { issueCertificate } from "@app/server/features/certificates/certificate-issue.service";
import { type ImportedCase, createCases, getCase } from "@app/server/features/cases/cases.service";
import { getClient } from "@app/server/features/clients/clients.service";
import { decideConflict } from "@app/server/features/conflicts/conflicts.service";
import { recordContactAgreement } from "@app/server/features/casework/contact-agreements";
import { inviteParty } from "@app/server/features/ladders/attempts.service";
import { completeScreening } from "@app/server/features/screenings/screenings.service";
import { createTasks } from "@app/server/features/tasks/tasks.service";
import { updateProfile } from "@app/server/features/users/profiles.service";
import { confirmAccreditation } from "@app/server/features/users/staff-records.service";
import { colleagues } from "@app/server/features/users/users.service";
import { demoAgreement } from "./demo-agreements.ts";
import { demoStateOf, endOf, PARTY_STATES, type Standing, stateBefore } from "./demo-endings.ts";
import { AGAINST_BECAUSE } from "./demo-people.ts";

const DAY_MS = 86_400_000;
const BATCH = 250;

const MATTERS = [
  "Where the children live, and the house",
  "Holidays and handovers",
  "Pension and savings",
  "The family home",
  "Time with a grandparent",
  "A business that both built",
];
const FORMATS = ["in_person", "online", "shuttle", "hybrid"] as const;
const SOURCES = ["self", "solicitor", "court", "website"] as const;
const ISSUES = ["all_issues", "child_only", "property_finance"] as const;

const at = <Item>(list: readonly Item[], index: number): Item => {
  const item = list[index % list.length];
  if (item === undefined) throw new Error("an empty list has no item");
  return item;
};

/** Pairs the clients up as the parties of cases, of which the first are led to their end here; gives what was stored. */
export async function demoCases(
  scope: Scope,
  clients: readonly Client[],
  { cases: howMany, worked }: { cases: number; worked: number },
): Promise<Case[]> {
  const people = (await colleagues(scope.ownerId)).filter(({ isActive }) => isActive);
  const mediators = people.filter(({ role }) => mayMediate(role)).map(({ userId }) => userId);
  const caseworkers = people.filter(({ role }) => role === ROLES.caseworker).map(({ userId }) => userId);
  const team = { mediators, helpers: [...caseworkers.map((userId) => [userId]), []], worked };
  const made: Case[] = [];
  for (let start = 0; start < howMany; start += BATCH) {
    const inputs = Array.from({ length: Math.min(BATCH, howMany - start) }, (_, index) =>
      demoCase(start + index, clients, team),
    );
    made.push(...(await createCases(scope, inputs)));
  }
  return made;
}

interface Team {
  mediators: readonly string[];
  /** Who works on one case or another beside its mediator. */
  helpers: readonly string[][];
  /** How many cases are led to their end by those who work on them. */
  worked: number;
}

function demoCase(number: number, clients: readonly Client[], { mediators, helpers, worked }: Team): ImportedCase {
  const inTheEnd = demoStateOf(number);
  const before: Standing = number < worked ? stateBefore(inTheEnd) : { status: inTheEnd };
  const { status, parties = at(PARTY_STATES[before.status], number) } = before;
  const ageDays = 1 + ((number * 5) % 40);
  const since = new Date(Date.now() - ageDays * DAY_MS);
  return {
    caseRef: "",
    domain: "family",
    issueScope: at(ISSUES, number),
    matter: at(MATTERS, number),
    format: at(FORMATS, number),
    mediators: [{ userId: at(mediators, number), isLead: true }],
    staffIds: at(helpers, number),
    children:
      at(ISSUES, number) === "property_finance" ? [] : [child("Rowan", "2015-03-02"), child("Pip", "2019-07-21")],
    referral: { source: at(SOURCES, number), contactId: "", campaign: "" },
    flags: {
      safeguarding: number % 5 === 0 ? "noted" : "none",
      isUrgent: number % 11 === 0,
      mustNotMeet: number % 4 === 2,
    },
    startedOn: "",
    nextReviewOn: "",
    parties: [
      { clientId: at(clients, number * 2).id, role: "initiator", side: "" },
      { clientId: at(clients, number * 2 + 1).id, role: "respondent", side: "" },
    ],
    standing: {
      status,
      since,
      partyStatuses: parties,
      ...endOf(status, number, since.toISOString().slice(0, 10)),
    },
  };
}

const child = (firstName: string, dateOfBirth: string) => ({
  childId: newId(),
  firstName,
  dateOfBirth,
  livesWith: "",
  cim: NOT_INCLUDED,
});

const HAVE_ATTENDED: readonly PartyStatus[] = [
  "miam_attended",
  "suitable",
  "suitable_with_measures",
  "agreement_signed",
  "active",
  "done",
];
const TASKS = ["Chase pension figures", "Second call to P2", "Send the parenting plan", "Legal aid evidence"];
const today = () => new Date().toISOString().slice(0, 10);

/** Conflict checks, screenings, certificates and tasks of the first cases, so that every panel has something to show. */
export async function demoCaseWork(scope: Scope, cases: readonly Case[]): Promise<void> {
  await updateProfile(scope, {
    firstName: "Ines",
    lastName: "Marchbank",
    isAccredited: true,
    accreditationNumber: "1482A",
    isChildInclusive: true,
    version: 0,
  });
  for (const what of ["number", "child_inclusive"] as const)
    await confirmAccreditation(scope, { id: scope.userId, number: "1482A", what, isConfirmed: true });
  for (const [index, theCase] of cases.entries()) {
    if (theCase.status !== "enquiry")
      await decideConflict(scope, { caseId: theCase.id, decision: "clear", reason: "" });
    await demoScreenings(scope, theCase, index);
    const [applicant] = theCase.parties;
    for (const { partyId, clientId } of theCase.parties.filter(({ status }) => HAVE_ATTENDED.includes(status))) {
      if ((await getClient(scope, clientId)).kind === "organisation") continue;
      const assessmentId = await demoMiam(scope, theCase, partyId, { index });
      const isCertified = partyId === applicant?.partyId && index % 4 !== 3 && isMediatorOf(scope, theCase.mediators);
      if (isCertified) await demoCertificate(scope, assessmentId);
    }
    await demoInvitations(scope, theCase);
    await demoAgreement(scope, theCase, index);
    if (index % 3 === 0)
      await createTasks(scope, [
        {
          title: at(TASKS, index),
          dueOn: addDays(today(), (index % 7) - 3),
          assigneeId: scope.userId,
          caseId: theCase.id,
          clientId: applicant?.clientId ?? null,
        },
      ]);
  }
}

/** Whoever was invited was written to and, where that is longer ago, called. */
async function demoInvitations(scope: Scope, { id, parties, statusSince }: Case): Promise<void> {
  const [first] = parties;
  if (!first || !parties.some(({ status }) => status === "invited")) return;
  const now = async () => ({ id, version: (await getCase(scope, id)).version });
  const invitedOn = statusSince.slice(0, 10);
  const agreed = { isAgreed: true, isNamed: true, on: invitedOn };
  await recordContactAgreement(scope, { ...(await now()), partyId: first.partyId, ...agreed });
  for (const { partyId } of parties.filter(({ status }) => status === "invited")) {
    const insteadBecause = "They asked us to write by post, and to ring afterwards";
    const why = { insteadBecause, againstBecause: AGAINST_BECAUSE };
    const attempt = async (channel: "post" | "phone", on: string, call: "" | "spoken", wording: string) =>
      on <= today() && inviteParty(scope, { ...why, ...(await now()), partyId, channel, on, call, wording });
    await attempt("post", invitedOn, "", "Our first letter, with the leaflet");
    await attempt("phone", addDays(invitedOn, 10), "spoken", "They asked for a call in the evening");
  }
}

/** So that each certificate still runs, some for few days. */
const attendedOnOf = (index: number) => addDays(today(), -(85 + ((index * 13) % 35)));

/** The MIAM of one party; gives its record. */
export async function demoMiam(
  scope: Scope,
  { id: caseId, children }: Case,
  partyId: string,
  { index, attendedOn = attendedOnOf(index) }: { index: number; attendedOn?: string },
): Promise<string> {
  const { id } = await recordAssessment(scope, {
    caseId,
    partyId,
    attendedOn,
    place: index % 2 === 0 ? "video" : "in_person",
    where: index % 2 === 0 ? "" : "Room 1",
    phoneReason: "",
    underAgeReason: "",
    hoursReason: "",
    minutes: 60,
    shortReason: "",
    isBriefConfirmed: false,
    otherPeople: "",
    mediatorId: scope.userId,
    company: "alone",
    withPartyIds: [],
    forms: ["mediation"],
    formsReason: "They wish to settle it between themselves.",
    childInclusive: children.length > 0 ? "explained" : "no_children",
    childInclusiveReason: "",
    signposting: "",
    riskAssessment: "done",
    riskReason: "",
  });
  return id;
}

export async function demoCertificate(scope: Scope, assessmentId: string): Promise<void> {
  await issueCertificate(scope, { assessmentId, statements: [], replaceReason: "" });
}

async function demoScreenings(scope: Scope, theCase: Case, index: number): Promise<void> {
  for (const { partyId, status } of theCase.parties) {
    if (["to_invite", "invited", "no_response", "refused"].includes(status)) continue;
    await demoScreening(scope, theCase, partyId, { hasMeasures: index % 4 === 2, heldOn: attendedOnOf(index) });
  }
}

export async function demoScreening(
  scope: Scope,
  theCase: Case,
  partyId: string,
  { hasMeasures, heldOn = today() }: { hasMeasures: boolean; heldOn?: string },
): Promise<void> {
  const { version: toolVersion, groups } = toolFor(theCase.domain);
  const answers = Object.fromEntries(
    groups.flatMap(({ questions }) => questions).map(({ id }) => [id, { answer: "no" as const, words: "" }]),
  );
  const afraid = {
    answer: "yes" as const,
    words: "At handovers, when they arrive at the same time",
    safeBecause: "They never meet at the door, and she feels safe online",
  };
  const clientId = theCase.parties.find((party) => party.partyId === partyId)?.clientId ?? "";
  const { kind } = await getClient(scope, clientId);
  await completeScreening(scope, {
    ...(kind === "organisation" ? { spokenWith: "Ada Whitlock, operations manager" } : {}),
    caseId: theCase.id,
    partyId,
    toolVersion,
    heldOn,
    channel: "video",
    company: "nobody",
    supporter: null,
    answers: hasMeasures ? { ...answers, fear: afraid } : answers,
    consulted: hasMeasures
      ? { isConsulted: true, who: "Ruth Amsel", on: addDays(heldOn, -3), whyNot: "" }
      : { isConsulted: false, who: "", on: "", whyNot: "Nothing to ask about" },
    score: null,
    measures: hasMeasures ? ["separate_arrivals"] : [],
    suitable: hasMeasures ? "yes_with_measures" : "yes",
    reasons: hasMeasures ? "Safe with separate arrivals, 15 minutes apart" : "Nothing worries them or us",
    signposted: [],
    referral: null,
  });
}
