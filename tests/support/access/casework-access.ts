import { newId } from "@app/server/core/ids";
import { PRACTICE_ONLY, SHARED } from "@app/shared/visibility";
import type { Door } from "./door.ts";
import { aCompletion, anAmendment, anEntry, aReport } from "../server/safeguarded.ts";
import { aScreening } from "../server/screened.ts";
import { MEETINGS_ACCESS } from "./meetings-access.ts";
import { aMiamElsewhere, anAssessment, anUnscreenedMiam, daysAgo } from "../server/assessments.ts";
import { aCaseInput, anIntake } from "../server/people.ts";
import { RECORDS_ACCESS } from "./records-access.ts";

/** The procedures of cases and of everything that belongs to them. */
const reading = { access: "subscribed", permission: "clients.read" } as const;
const writing = { access: "subscribed", permission: ["clients.read", "clients.write"] } as const;
const filing = { access: "subscribed", permission: ["clients.read", "documents.manage"] } as const;
const sending = { access: "subscribed", permission: ["clients.read", "mail.send"] } as const;
const AN_ORDER = { kind: "order", on: "2026-01-05", reference: "Family Court, 12/26" };
export const CASEWORK_ACCESS: Record<string, Door> = {
  ...MEETINGS_ACCESS,
  ...RECORDS_ACCESS,
  "cases.list": {
    ...reading,
    input: () => ({ page: 1, search: "e" }),
    more: [() => ({}), () => ({ search: "canarywharf" })],
    stranger: "own",
  },
  "cases.get": { ...reading, input: ({ caseId }) => ({ id: caseId }), stranger: "missing" },
  "cases.ofClient": { ...reading, input: ({ clientId }) => ({ id: clientId }), stranger: "own" },
  "tasks.nextOfClients": { ...reading, input: ({ clientId }) => ({ clientIds: [clientId] }), stranger: "own" },
  "cases.board": { access: "subscribed", permission: "clients.read", stranger: "own" },
  "casework.steps": { ...reading, input: ({ caseId }) => ({ id: caseId }), stranger: "missing" },
  "casework.safetyDue": { ...reading, input: ({ caseId }) => ({ id: caseId }), stranger: "missing" },
  "partyView.preview": { ...reading, input: ({ caseId, partyId }) => ({ caseId, partyId }), stranger: "missing" },
  "intake.create": { ...writing, input: ({ clientId }) => anIntake({ other: { clientId } }), stranger: "missing" },
  "casework.create": { ...writing, input: ({ clientId }) => aCaseInput([clientId]), stranger: "missing" },
  "casework.update": {
    ...writing,
    input: ({ caseId }) => {
      const { parties: _parties, caseRef: _caseRef, ...fields } = aCaseInput([]);
      return { ...fields, id: caseId, version: 0 };
    },
    stranger: "missing",
  },
  "casework.move": {
    ...writing,
    input: ({ caseId }) => ({ id: caseId, version: 0, to: "intake", reason: "" }),
    stranger: "missing",
  },
  "casework.correct": {
    access: "subscribed",
    permission: ["clients.read", "clients.write"],
    input: ({ caseId }) => ({ id: caseId, version: 0, partyId: "", reason: "The wrong case" }),
    stranger: "missing",
    passedGatesWith: "PRECONDITION_FAILED",
  },
  "casework.correctDay": {
    ...writing,
    input: ({ caseId, partyId }) => ({
      id: caseId,
      version: 0,
      partyId,
      of: "responded",
      on: "2026-01-05",
      reason: "Mistyped",
    }),
    stranger: "missing",
    passedGatesWith: "PRECONDITION_FAILED",
  },
  "casework.correctAgreement": {
    ...writing,
    input: ({ caseId }) => ({ id: caseId, version: 0, to: "none", reason: "Mistyped" }),
    stranger: "missing",
    passedGatesWith: "PRECONDITION_FAILED",
  },
  "casework.changeConfidences": {
    ...writing,
    input: ({ caseId, partyId }) => ({
      id: caseId,
      version: 0,
      to: "none",
      reason: "A new one",
      signatures: [{ partyId, on: "2026-01-05" }],
    }),
    stranger: "missing",
    passedGatesWith: "PRECONDITION_FAILED",
  },
  "casework.recordContactAgreement": {
    ...writing,
    input: ({ caseId, partyId }) => ({
      id: caseId,
      version: 0,
      partyId,
      isAgreed: true,
      isNamed: false,
      on: "2026-01-05",
    }),
    stranger: "missing",
  },
  "casework.recordDisclosure": {
    ...writing,
    input: ({ caseId }) => ({
      id: caseId,
      version: 0,
      disclosureId: newId(),
      what: "That they came, to the court",
      fileIds: [],
      to: [],
      hasReport: true,
      ground: AN_ORDER,
    }),
    stranger: "missing",
  },
  "casework.endDisclosure": {
    ...writing,
    input: ({ caseId }) => ({ id: caseId, version: 0, disclosureId: "of-none", reason: "Set aside" }),
    stranger: "missing",
    passedGatesWith: "BAD_REQUEST",
  },
  "casework.addParty": {
    ...writing,
    input: ({ caseId, clientId }) => ({
      changeId: newId(),
      id: caseId,
      version: 0,
      party: { clientId, role: "respondent", side: "" },
    }),
    stranger: "missing",
    passedGatesWith: "BAD_REQUEST",
  },
  "casework.takeOutParty": {
    ...writing,
    input: ({ caseId, partyId }) => ({ id: caseId, version: 0, partyId, reason: "The wrong one" }),
    stranger: "missing",
    passedGatesWith: "PRECONDITION_FAILED",
  },
  "casework.updateParty": {
    ...writing,
    input: ({ caseId, partyId }) => ({
      id: caseId,
      version: 0,
      partyId,
      side: "",
      role: "initiator",
      consentedOn: "2026-01-05",
      representativeContactIds: [],
    }),
    stranger: "missing",
  },
  "casework.moveParty": {
    ...writing,
    input: ({ caseId, partyId }) => ({
      id: caseId,
      version: 0,
      partyId,
      to: "responded",
      on: "2026-01-05",
      reason: "",
    }),
    stranger: "missing",
  },
  "casework.inviteParty": {
    ...writing,
    input: ({ caseId, partyId }) => ({
      changeId: newId(),
      id: caseId,
      version: 0,
      partyId,
      channel: "email",
      on: "2026-01-05",
      wording: "A mail from another program",
    }),
    stranger: "missing",
  },
  "casework.returnInvitation": {
    ...writing,
    input: ({ caseId }) => ({ id: caseId, version: 0, attemptId: "none", on: "2026-01-05" }),
    stranger: "missing",
    // It is of none that was made by hand.
    passedGatesWith: "NOT_FOUND",
  },
  "casework.strikeInvitation": {
    ...writing,
    input: ({ caseId }) => ({ id: caseId, version: 0, attemptId: "none", reason: "Never posted" }),
    stranger: "missing",
    // It is of none that was made by hand.
    passedGatesWith: "NOT_FOUND",
  },
  "casework.invitations": { ...reading, input: ({ caseId }) => ({ id: caseId }), stranger: "missing" },
  "ladders.list": { ...reading, stranger: "own" },
  "ladders.words": {
    ...reading,
    input: () => ({ domain: "civil", template: "invite-civil-first" }),
    stranger: "own",
  },
  "ladders.update": {
    access: "owner",
    input: () => ({
      domain: "family",
      rungs: [{ channel: "post", afterDays: 0, replyDays: 7, template: "" }],
      version: 0,
    }),
    stranger: "own",
  },
  "casework.setFunding": {
    ...writing,
    input: ({ caseId, partyId }) => ({
      id: caseId,
      version: 0,
      parties: [{ partyId, funding: { type: "private", shareBp: 10_000, payerContactId: "" } }],
    }),
    stranger: "missing",
  },

  "conflicts.search": {
    ...writing,
    input: () => ({
      term: {
        firstName: "Maya",
        lastName: "Canarywharf",
        knownAs: "",
        organisation: "",
        email: "maya@example.org",
        phones: [],
        dateOfBirth: "",
      },
    }),
    stranger: "own",
  },
  "conflicts.ofCase": { ...reading, input: ({ caseId }) => ({ id: caseId }), stranger: "missing" },
  "conflicts.decide": {
    ...writing,
    input: ({ caseId }) => ({ id: newId(), caseId, decision: "clear", reason: "" }),
    stranger: "missing",
  },

  "assessments.list": {
    ...reading,
    input: ({ caseId }) => ({ caseId }),
    stranger: "missing",
  },
  "assessments.record": {
    ...writing,
    permission: ["clients.read", "clients.write", "screening.read"],
    input: ({ caseId, partyId, ownerId }) =>
      anUnscreenedMiam({ caseId, partyId, mediatorId: ownerId }, { attendedOn: "2026-01-04" }),
    stranger: "missing",
  },
  "assessments.recordElsewhere": {
    ...writing,
    input: ({ caseId, partyId }) => aMiamElsewhere({ caseId, partyId }, { attendedOn: "2026-01-02" }),
    stranger: "missing",
  },
  "assessments.correct": {
    ...writing,
    permission: ["clients.read", "clients.write", "screening.read"],
    input: ({ assessmentId, ownerId }) => {
      const {
        caseId: _case,
        partyId: _party,
        ...details
      } = anAssessment({
        caseId: "",
        partyId: "",
        mediatorId: ownerId,
      });
      return { ...details, attendedOn: daysAgo(33), id: assessmentId, version: 0, reason: "Typing error" };
    },
    stranger: "missing",
  },
  "assessments.strike": {
    ...writing,
    input: ({ assessmentId }) => ({ id: assessmentId, version: 0, reason: "Typing error" }),
    stranger: "missing",
  },
  "certificates.list": {
    ...reading,
    input: ({ caseId }) => ({ caseId }),
    stranger: "missing",
  },
  "certificates.choices": {
    ...reading,
    input: ({ assessmentId }) => ({ assessmentId }),
    stranger: "missing",
  },
  "certificates.issue": {
    ...writing,
    input: ({ assessmentId }) => ({
      id: newId(),
      assessmentId,
      statements: [],
      replaceReason: "",
    }),
    stranger: "missing",
  },
  "certificates.mediationChoices": {
    ...reading,
    input: ({ caseId, partyId }) => ({ caseId, partyId }),
    stranger: "missing",
  },
  "certificates.issueMediation": {
    ...writing,
    input: ({ caseId, partyId }) => ({ id: newId(), caseId, partyId, replaceReason: "" }),
    stranger: "missing",
    // Nobody else was at a session of this case.
    passedGatesWith: "PRECONDITION_FAILED",
  },
  "certificates.use": {
    ...writing,
    input: ({ certificateId }) => ({ id: certificateId, usedOn: daysAgo(0) }),
    stranger: "missing",
  },
  "certificates.void": {
    ...writing,
    input: ({ certificateId }) => ({ id: certificateId, reason: "Typing error" }),
    stranger: "missing",
  },

  "dashboard.get": { access: "subscribed", permission: "clients.read", stranger: "own" },
  "search.find": {
    ...reading,
    input: () => ({ text: "maya" }),
    more: [() => ({ text: "canarywharf" })],
    stranger: "own",
  },

  "files.list": { ...reading, input: ({ clientId }) => ({ clientId }), stranger: "missing" },
  "files.marked": { ...reading, input: ({ caseId }) => ({ caseId }), stranger: "missing" },
  "files.get": { ...reading, input: ({ fileId }) => ({ id: fileId }), stranger: "missing" },
  "files.update": {
    ...filing,
    input: ({ fileId }) => ({ id: fileId, version: 0, name: "changed.txt", tags: [], visibility: PRACTICE_ONLY }),
    stranger: "missing",
  },
  "files.move": {
    ...filing,
    input: ({ fileId, clientId }) => ({ ids: [fileId], clientId, caseId: null }),
    stranger: "missing",
  },
  "files.release": {
    ...filing,
    input: ({ fileId }) => ({ id: fileId, newId: newId(), readers: SHARED, consent: null }),
    stranger: "missing",
    // It is in no case.
    passedGatesWith: "PRECONDITION_FAILED",
  },
  "files.remove": { ...filing, input: ({ fileId }) => ({ ids: [fileId] }), stranger: "missing" },
  "files.restore": { ...filing, input: ({ fileId }) => ({ ids: [fileId] }), stranger: "missing" },

  "timeline.list": { ...reading, input: ({ clientId }) => ({ clientId }), stranger: "missing" },

  "screenings.list": {
    access: "subscribed",
    permission: ["clients.read", "screening.read"],
    input: ({ caseId }) => ({ caseId }),
    stranger: "missing",
  },
  "screenings.complete": {
    access: "subscribed",
    permission: ["clients.read", "clients.write", "screening.read"],
    input: ({ caseId, partyId }) => aScreening({ id: caseId, domain: "family" }, partyId),
    stranger: "missing",
  },
  "screenings.confirm": {
    access: "subscribed",
    permission: ["clients.read", "clients.write", "screening.read"],
    input: ({ screeningId }) => ({ id: screeningId }),
    stranger: "missing",
  },
  "screenings.strike": {
    access: "subscribed",
    permission: ["clients.read", "clients.write", "screening.read"],
    input: ({ screeningId }) => ({ id: screeningId, reason: "Typed at the wrong person" }),
    stranger: "missing",
  },
  "screenings.measures": {
    access: "subscribed",
    permission: ["clients.read", "screening.read"],
    input: ({ caseId }) => ({ caseId }),
    stranger: "missing",
  },

  "safeguarding.list": {
    access: "subscribed",
    permission: ["clients.read", "safeguarding.read"],
    input: ({ caseId }) => ({ caseId }),
    stranger: "missing",
  },
  "safeguarding.listOfRemoved": {
    access: "subscribed",
    permission: ["clients.read", "safeguarding.read"],
    input: () => ({ page: 1 }),
    stranger: "own",
  },
  "safeguarding.listWordings": {
    access: "subscribed",
    permission: ["clients.read", "safeguarding.read"],
    input: ({ entryId }) => ({ id: entryId }),
    stranger: "missing",
  },
  "safeguarding.add": {
    access: "subscribed",
    permission: ["clients.read", "clients.write", "safeguarding.read"],
    input: ({ caseId }) => anEntry(caseId),
    stranger: "missing",
  },
  "safeguarding.report": { ...writing, input: ({ caseId }) => aReport(caseId), stranger: "missing" },
  "safeguarding.amend": {
    access: "subscribed",
    permission: ["clients.read", "clients.write", "safeguarding.read"],
    input: ({ entryId, caseId }) => anAmendment(entryId, caseId),
    stranger: "missing",
  },
  "safeguarding.complete": {
    access: "subscribed",
    permission: ["clients.read", "clients.write", "safeguarding.read"],
    input: ({ waitingEntryId, caseId }) => aCompletion(waitingEntryId, caseId),
    stranger: "missing",
  },
  "safeguarding.dismiss": {
    access: "subscribed",
    permission: ["clients.read", "clients.write", "safeguarding.read"],
    input: ({ waitingEntryId }) => ({ id: waitingEntryId, changeId: "dismiss", version: 0, why: "A misunderstanding" }),
    stranger: "missing",
  },
  "safeguarding.officer": {
    access: "subscribed",
    permission: ["clients.read", "safeguarding.read"],
    input: ({ caseId }) => ({ caseId }),
    stranger: "missing",
  },
  "safeguarding.setOfficer": {
    access: "owner",
    input: () => ({ userId: null }),
    stranger: "own",
  },

  "tasks.list": { ...reading, input: () => ({ page: 1, assignee: "anyone" }), stranger: "own" },
  "tasks.get": { ...reading, input: ({ taskId }) => ({ id: taskId }), stranger: "missing" },
  "tasks.create": {
    ...writing,
    input: ({ clientId, caseId, ownerId }) => ({
      id: newId(),
      title: "Chase figures",
      dueOn: "2026-12-01",
      assigneeId: ownerId,
      clientId,
      caseId,
    }),
    stranger: "missing",
  },
  "tasks.update": {
    ...writing,
    input: ({ taskId, ownerId }) => ({ id: taskId, version: 0, title: "Changed", dueOn: null, assigneeId: ownerId }),
    stranger: "missing",
  },
  "tasks.setStatus": { ...writing, input: ({ taskId }) => ({ id: taskId, status: "done" }), stranger: "missing" },

  "outbox.list": {
    access: "subscribed",
    permission: ["clients.read", "mail.read"],
    input: ({ clientId }) => ({ clientId }),
    stranger: "missing",
  },
  "outbox.get": {
    access: "subscribed",
    permission: ["clients.read", "mail.read"],
    input: ({ mailId }) => ({ id: mailId }),
    stranger: "missing",
  },
  "outbox.retry": {
    ...sending,
    input: ({ mailId }) => ({ changeId: newId(), id: mailId }),
    stranger: "missing",
    passedGatesWith: "PRECONDITION_FAILED",
  },
  "outbox.cancel": { ...sending, input: ({ mailId }) => ({ id: mailId }), stranger: "missing" },
};
