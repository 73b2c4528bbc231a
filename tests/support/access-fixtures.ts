import { randomUUID } from "node:crypto";
import type { Permission } from "@app/shared/access";
import { aCaseInput, aClient, aMeetingInput, PASSWORD } from "./people.ts";

/** What belongs to the practice that everybody else must not reach. */
export interface Target {
  clientId: string;
  staffId: string;
  invitedId: string;
  deviceId: string;
  caseId: string;
  partyId: string;
  taskId: string;
  mailId: string;
  noteId: string;
  sessionId: string;
  certificateId: string;
  meetingId: string;
  ownerId: string;
}

export interface Fixture {
  access: "public" | "protected" | "subscribed" | "owner";
  permission?: Permission;
  /** A valid input aimed at the practice's own things; absent where the call takes none. */
  input?: (target: Target) => unknown;
  /**
   * What a person of another practice gets with that input: the object looks missing, or the call touches only the
   * caller's own things (then nothing of the practice may be in the answer, and nothing of it may change).
   */
  stranger?: "missing" | "own";
  /** Where the rightful caller is refused for another reason than access, this code shows that the gates were passed. */
  passedGatesWith?: string;
}

const fields = { firstName: "Tom", lastName: "Birch" };
const token = "t".repeat(43);
const registration = () => ({
  ...fields,
  email: `${randomUUID()}@example.org`,
  password: PASSWORD,
  practiceName: "Quillfeather",
  region: "england_wales",
  mediatorType: "family",
});

/** Every procedure of the router. One that is not listed here fails the run. */
export const ACCESS: Record<string, Fixture> = {
  "auth.status": { access: "public" },
  "auth.signIn": {
    access: "public",
    input: () => ({ email: "nobody@example.org", password: PASSWORD, isRemembered: false }),
  },
  "auth.signOut": { access: "public" },
  "auth.verifySecondFactor": { access: "public", input: () => ({ code: "000000" }) },
  "auth.setUp": { access: "public", input: registration },
  "auth.register": { access: "public", input: registration },
  "auth.invitation": { access: "public", input: () => ({ token }) },
  "auth.acceptInvitation": { access: "public", input: () => ({ ...fields, token, password: PASSWORD }) },
  "auth.requestPasswordReset": { access: "public", input: () => ({ email: "nobody@example.org" }) },
  "auth.resetPassword": { access: "public", input: () => ({ token, password: PASSWORD }) },

  "auth.changePassword": {
    access: "protected",
    input: () => ({ currentPassword: PASSWORD, password: PASSWORD + " again" }),
    stranger: "own",
  },
  "auth.listDevices": { access: "protected", stranger: "own" },
  "auth.endDevice": { access: "protected", input: ({ deviceId }) => ({ id: deviceId }), stranger: "missing" },
  "auth.signOutEverywhere": { access: "protected", stranger: "own" },
  "auth.startTwoFactor": { access: "protected", input: () => ({ password: PASSWORD }), stranger: "own" },
  "auth.enableTwoFactor": {
    access: "protected",
    input: () => ({ code: "000000" }),
    stranger: "own",
    passedGatesWith: "BAD_REQUEST",
  },
  "auth.disableTwoFactor": {
    access: "protected",
    input: () => ({ password: PASSWORD, code: "000000" }),
    stranger: "own",
    passedGatesWith: "BAD_REQUEST",
  },

  "users.profile": { access: "protected", stranger: "own" },
  "users.updateProfile": {
    access: "protected",
    input: () => ({ ...fields, isAccredited: true, accreditationNumber: "1234A", version: 0 }),
    stranger: "own",
  },
  "users.colleagues": { access: "subscribed", permission: "clients.read", stranger: "own" },
  "users.list": { access: "owner", stranger: "own" },
  "users.invite": {
    access: "owner",
    input: () => ({ ...fields, email: `${randomUUID()}@example.org`, role: 3 }),
    stranger: "own",
  },
  "users.update": {
    access: "owner",
    input: ({ staffId }) => ({ id: staffId, role: 3, permissions: ["clients.read"], version: 1 }),
    stranger: "missing",
  },
  "users.suspend": { access: "owner", input: ({ staffId }) => ({ id: staffId }), stranger: "missing" },
  "users.reactivate": {
    access: "owner",
    input: ({ staffId }) => ({ id: staffId }),
    stranger: "missing",
    passedGatesWith: "PRECONDITION_FAILED",
  },
  "users.removeInvitation": { access: "owner", input: ({ invitedId }) => ({ id: invitedId }), stranger: "missing" },

  "practices.get": { access: "protected", stranger: "own" },
  "practices.update": {
    access: "owner",
    input: () => ({
      practiceName: "Renamed",
      region: "scotland",
      mediatorType: "civil",
      timeZone: "Europe/London",
      caseNumberPrefix: "RN",
      isTwoFactorRequired: false,
      version: 0,
    }),
    stranger: "own",
  },

  "subscriptions.get": { access: "protected", stranger: "own" },
  "subscriptions.onChange": { access: "protected" },
  "subscriptions.startCheckout": {
    access: "protected",
    input: () => ({ plan: "pro", interval: "yearly" }),
    stranger: "own",
    passedGatesWith: "PRECONDITION_FAILED",
  },
  "subscriptions.openPortal": { access: "protected", stranger: "own", passedGatesWith: "PRECONDITION_FAILED" },

  "mail.listUnsent": { access: "owner", input: () => ({ page: 1 }), stranger: "own" },
  "support.reportError": {
    access: "protected",
    input: () => ({ component: "Router", message: "The check failed" }),
    stranger: "own",
  },

  "clients.list": { access: "subscribed", permission: "clients.read", input: () => ({}), stranger: "own" },
  "clients.get": {
    access: "subscribed",
    permission: "clients.read",
    input: ({ clientId }) => ({ id: clientId }),
    stranger: "missing",
  },
  "clients.create": {
    access: "subscribed",
    permission: "clients.write",
    input: () => aClient({ firstName: "New" }),
    stranger: "own",
  },
  "clients.update": {
    access: "subscribed",
    permission: "clients.write",
    input: ({ clientId }) => ({ id: clientId, version: 0, client: aClient({ firstName: "Changed" }) }),
    stranger: "missing",
  },
  "clients.setStatus": {
    access: "subscribed",
    permission: "clients.write",
    input: ({ clientId }) => ({ ids: [clientId], status: "archived" }),
    stranger: "own",
  },

  "cases.list": {
    access: "subscribed",
    permission: "clients.read",
    input: () => ({ page: 1, search: "e" }),
    stranger: "own",
  },
  "cases.get": {
    access: "subscribed",
    permission: "clients.read",
    input: ({ caseId }) => ({ id: caseId }),
    stranger: "missing",
  },
  "cases.ofClient": {
    access: "subscribed",
    permission: "clients.read",
    input: ({ clientId }) => ({ id: clientId }),
    stranger: "own",
  },
  "cases.board": { access: "subscribed", permission: "clients.read", stranger: "own" },
  "cases.steps": {
    access: "subscribed",
    permission: "clients.read",
    input: ({ caseId }) => ({ id: caseId }),
    stranger: "missing",
  },
  "cases.preview": {
    access: "subscribed",
    permission: "clients.read",
    input: ({ caseId, partyId }) => ({ caseId, partyId }),
    stranger: "missing",
  },
  "cases.create": {
    access: "subscribed",
    permission: "clients.write",
    input: ({ clientId }) => aCaseInput([clientId]),
    stranger: "missing",
  },
  "cases.update": {
    access: "subscribed",
    permission: "clients.write",
    input: ({ caseId }) => {
      const { parties: _parties, caseRef: _caseRef, ...fields } = aCaseInput([]);
      return { ...fields, id: caseId, version: 0 };
    },
    stranger: "missing",
  },
  "cases.move": {
    access: "subscribed",
    permission: "clients.write",
    input: ({ caseId }) => ({ id: caseId, version: 0, to: "intake", reason: "" }),
    stranger: "missing",
    passedGatesWith: "PRECONDITION_FAILED",
  },
  "cases.addParty": {
    access: "subscribed",
    permission: "clients.write",
    input: ({ caseId, clientId }) => ({
      id: caseId,
      version: 0,
      party: { clientId, role: "respondent", side: "" },
    }),
    stranger: "missing",
    passedGatesWith: "BAD_REQUEST",
  },
  "cases.updateParty": {
    access: "subscribed",
    permission: "clients.write",
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
  "cases.moveParty": {
    access: "subscribed",
    permission: "clients.write",
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
  "cases.inviteParty": {
    access: "subscribed",
    permission: "clients.write",
    input: ({ caseId, partyId }) => ({ id: caseId, version: 0, partyId, channel: "email" }),
    stranger: "missing",
  },
  "cases.setFunding": {
    access: "subscribed",
    permission: "clients.write",
    input: ({ caseId, partyId }) => ({
      id: caseId,
      version: 0,
      parties: [{ partyId, funding: { type: "private", shareBp: 10_000, payerContactId: "" } }],
    }),
    stranger: "missing",
  },

  "conflicts.search": {
    access: "subscribed",
    permission: "clients.write",
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
  "conflicts.ofCase": {
    access: "subscribed",
    permission: "clients.read",
    input: ({ caseId }) => ({ id: caseId }),
    stranger: "missing",
  },
  "conflicts.decide": {
    access: "subscribed",
    permission: "clients.write",
    input: ({ caseId }) => ({ caseId, decision: "clear", reason: "" }),
    stranger: "missing",
  },

  "certificates.list": {
    access: "subscribed",
    permission: "clients.read",
    input: ({ caseId }) => ({ caseId }),
    stranger: "missing",
  },
  "certificates.issue": {
    access: "subscribed",
    permission: "clients.write",
    input: ({ caseId, partyId }) => ({ caseId, partyId, reason: "exempt", issuedOn: "2026-01-05" }),
    stranger: "missing",
  },
  "certificates.use": {
    access: "subscribed",
    permission: "clients.write",
    input: ({ certificateId }) => ({ id: certificateId, usedOn: "2026-01-06" }),
    stranger: "missing",
  },
  "certificates.void": {
    access: "subscribed",
    permission: "clients.write",
    input: ({ certificateId }) => ({ id: certificateId, reason: "Typing error" }),
    stranger: "missing",
  },

  "dashboard.get": { access: "subscribed", permission: "clients.read", stranger: "own" },
  "search.find": {
    access: "subscribed",
    permission: "clients.read",
    input: () => ({ text: "maya" }),
    stranger: "own",
  },

  "history.list": {
    access: "subscribed",
    permission: "clients.read",
    input: ({ clientId }) => ({ clientId }),
    stranger: "missing",
  },

  "meetings.calendar": {
    access: "subscribed",
    permission: "clients.read",
    input: () => ({ from: "2031-03-01T00:00:00.000Z", to: "2031-04-01T00:00:00.000Z" }),
    stranger: "own",
  },
  "meetings.listOf": {
    access: "subscribed",
    permission: "clients.read",
    input: ({ clientId }) => ({ clientId }),
    stranger: "missing",
  },
  "meetings.get": {
    access: "subscribed",
    permission: "clients.read",
    input: ({ meetingId }) => ({ id: meetingId }),
    stranger: "missing",
  },
  "meetings.nextFree": {
    access: "subscribed",
    permission: "clients.read",
    input: ({ ownerId }) => ({ mediatorId: ownerId, after: "2031-03-03T00:00:00.000Z", minutes: 60 }),
    stranger: "own",
  },
  "meetings.create": {
    access: "subscribed",
    permission: "calendar.manage",
    input: ({ ownerId, caseId }) => aMeetingInput(ownerId, { caseId, startsAt: "2031-03-05T09:00:00.000Z" }),
    stranger: "missing",
  },
  "meetings.update": {
    access: "subscribed",
    permission: "calendar.manage",
    input: ({ meetingId, ownerId }) => ({
      id: meetingId,
      version: 0,
      type: "call",
      title: "Changed",
      location: { kind: "phone", place: "" },
      mediatorIds: [ownerId],
      partyIds: [],
      arrivals: [],
      note: "",
    }),
    stranger: "missing",
  },
  "meetings.reschedule": {
    access: "subscribed",
    permission: "calendar.manage",
    input: ({ meetingId }) => ({
      id: meetingId,
      version: 0,
      startsAt: "2031-03-06T09:00:00.000Z",
      endsAt: "2031-03-06T10:00:00.000Z",
      reason: "",
      allowsOverlap: false,
    }),
    stranger: "missing",
  },
  "meetings.cancel": {
    access: "subscribed",
    permission: "calendar.manage",
    input: ({ meetingId }) => ({ id: meetingId, version: 0, reason: "Ill", isLate: false, isWholeSeries: false }),
    stranger: "missing",
  },
  "meetings.setStatus": {
    access: "subscribed",
    permission: "calendar.manage",
    input: ({ meetingId }) => ({ id: meetingId, version: 0, to: "confirmed" }),
    stranger: "missing",
  },
  "meetings.setAttendance": {
    access: "subscribed",
    permission: "calendar.manage",
    input: ({ meetingId, partyId }) => ({ id: meetingId, partyId, attendance: "present" }),
    stranger: "missing",
  },
  "meetings.availability": { access: "subscribed", permission: "clients.read", stranger: "own" },
  "meetings.setAvailability": {
    access: "subscribed",
    permission: "calendar.manage",
    input: () => ({ weekly: [{ weekday: 1, from: "09:00", to: "12:00" }], daysOff: ["2031-01-01"] }),
    stranger: "own",
  },
  "meetings.listBusy": { access: "subscribed", permission: "clients.read", stranger: "own" },
  "meetings.importBusy": {
    access: "subscribed",
    permission: "calendar.manage",
    input: () => ({ name: "Home", ics: "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nEND:VCALENDAR\r\n" }),
    stranger: "own",
  },
  "meetings.removeBusy": {
    access: "subscribed",
    permission: "calendar.manage",
    input: () => ({ name: "Home" }),
    stranger: "own",
  },
  "meetings.feed": { access: "subscribed", permission: "clients.read", stranger: "own" },
  "meetings.makeFeed": {
    access: "subscribed",
    permission: "clients.read",
    input: () => ({ level: "initials" }),
    stranger: "own",
  },
  "meetings.revokeFeed": { access: "subscribed", permission: "clients.read", stranger: "own" },

  "screenings.list": {
    access: "subscribed",
    permission: "screening.read",
    input: ({ caseId }) => ({ caseId }),
    stranger: "missing",
  },
  "screenings.complete": {
    access: "subscribed",
    permission: "screening.read",
    input: ({ caseId, partyId }) => ({
      caseId,
      partyId,
      answers: {
        afraid: "No",
        control: "No",
        violence: "No",
        orders: "No",
        children: "No",
        speaking: "Yes",
        measures: "No",
      },
      risk: "low",
      measures: [],
      suitable: "yes",
      reasons: "",
      signposted: [],
      referral: null,
    }),
    stranger: "missing",
  },

  "tasks.list": {
    access: "subscribed",
    permission: "clients.read",
    input: () => ({ page: 1, assignee: "anyone" }),
    stranger: "own",
  },
  "tasks.create": {
    access: "subscribed",
    permission: "clients.write",
    input: ({ clientId, caseId, ownerId }) => ({
      title: "Chase figures",
      dueOn: "2026-12-01",
      assigneeId: ownerId,
      clientId,
      caseId,
    }),
    stranger: "missing",
  },
  "tasks.update": {
    access: "subscribed",
    permission: "clients.write",
    input: ({ taskId, ownerId }) => ({ id: taskId, version: 0, title: "Changed", dueOn: null, assigneeId: ownerId }),
    stranger: "missing",
  },
  "tasks.setStatus": {
    access: "subscribed",
    permission: "clients.write",
    input: ({ taskId }) => ({ id: taskId, status: "done" }),
    stranger: "missing",
  },

  "mail.list": {
    access: "subscribed",
    permission: "mail.read",
    input: ({ clientId }) => ({ clientId }),
    stranger: "missing",
  },
  "mail.retry": {
    access: "subscribed",
    permission: "mail.send",
    input: ({ mailId }) => ({ id: mailId }),
    stranger: "missing",
    passedGatesWith: "PRECONDITION_FAILED",
  },
  "mail.cancel": {
    access: "subscribed",
    permission: "mail.send",
    input: ({ mailId }) => ({ id: mailId }),
    stranger: "missing",
  },

  "notes.list": {
    access: "subscribed",
    permission: "clients.read",
    input: ({ caseId }) => ({ caseId }),
    stranger: "missing",
  },
  "notes.get": {
    access: "subscribed",
    permission: "clients.read",
    input: ({ noteId }) => ({ id: noteId }),
    stranger: "missing",
  },
  "notes.create": {
    access: "subscribed",
    permission: "clients.write",
    input: ({ caseId, clientId }) => ({
      id: "new-note",
      caseId,
      clientId,
      kind: "file_note",
      visibility: { scope: "staff", partyIds: [], aboutPartyIds: [] },
      body: { type: "doc", content: [] },
    }),
    stranger: "missing",
  },
  "notes.update": {
    access: "subscribed",
    permission: "clients.write",
    input: ({ noteId }) => ({ id: noteId, version: 0, saveId: "save", body: { type: "doc", content: [] } }),
    stranger: "missing",
  },
  "notes.remove": {
    access: "subscribed",
    permission: "clients.write",
    input: ({ noteId }) => ({ id: noteId }),
    stranger: "missing",
  },
  "notes.restore": {
    access: "subscribed",
    permission: "clients.write",
    input: ({ noteId }) => ({ id: noteId }),
    stranger: "missing",
  },
  "notes.listVersions": {
    access: "subscribed",
    permission: "clients.read",
    input: ({ noteId }) => ({ id: noteId }),
    stranger: "missing",
  },
  "notes.restoreVersion": {
    access: "subscribed",
    permission: "clients.write",
    input: ({ noteId }) => ({ id: noteId, version: 9, restored: 0, saveId: "save" }),
    stranger: "missing",
  },
  "notes.release": {
    access: "subscribed",
    permission: "clients.write",
    input: ({ noteId, partyId }) => ({
      id: noteId,
      newId: "released-note",
      body: { type: "doc", content: [] },
      consent: { grantedByPartyId: partyId, at: "2026-01-05T10:00:00.000Z", how: "In the room" },
    }),
    stranger: "missing",
  },

  "sessions.ofCase": {
    access: "subscribed",
    permission: "clients.read",
    input: ({ caseId }) => ({ id: caseId }),
    stranger: "missing",
  },
  "sessions.get": {
    access: "subscribed",
    permission: "clients.read",
    input: ({ sessionId }) => ({ id: sessionId }),
    stranger: "missing",
  },
  "sessions.partySummary": {
    access: "subscribed",
    permission: "clients.read",
    input: ({ sessionId, partyId }) => ({ id: sessionId, partyId }),
    stranger: "missing",
  },
  "sessions.courtReport": {
    access: "subscribed",
    permission: "clients.read",
    input: ({ sessionId }) => ({ id: sessionId }),
    stranger: "missing",
  },
  "sessions.create": {
    access: "subscribed",
    permission: "clients.write",
    input: ({ caseId }) => ({ id: "new-session", caseId, meetingId: null }),
    stranger: "missing",
  },
  "sessions.start": {
    access: "subscribed",
    permission: "clients.write",
    input: ({ caseId }) => ({ id: "started-session", caseId, meetingId: null }),
    stranger: "missing",
  },
  "sessions.update": {
    access: "subscribed",
    permission: "clients.write",
    input: ({ sessionId }) => ({ id: sessionId, changeId: "change", minutes: 30 }),
    stranger: "missing",
  },
  "sessions.move": {
    access: "subscribed",
    permission: "clients.write",
    input: ({ sessionId }) => ({ id: sessionId, changeId: "change", to: "ended" }),
    stranger: "missing",
  },
  "sessions.setPaused": {
    access: "subscribed",
    permission: "clients.write",
    input: ({ sessionId }) => ({ id: sessionId, changeId: "change", isPaused: true }),
    stranger: "missing",
  },
  "sessions.setAttendance": {
    access: "subscribed",
    permission: "clients.write",
    input: ({ sessionId, partyId }) => ({ id: sessionId, changeId: "change", partyId, state: "present" }),
    stranger: "missing",
  },
  "sessions.saveTopic": {
    access: "subscribed",
    permission: "clients.write",
    input: ({ sessionId }) => ({
      id: sessionId,
      changeId: "change",
      topic: { id: "topic", topic: "Home", privilege: "none", minutes: 20, isDone: false },
    }),
    stranger: "missing",
  },
  "sessions.removeTopic": {
    access: "subscribed",
    permission: "clients.write",
    input: ({ sessionId }) => ({ id: sessionId, changeId: "change", topicId: "topic" }),
    stranger: "missing",
  },
  "sessions.addNote": {
    access: "subscribed",
    permission: "clients.write",
    input: ({ sessionId }) => ({
      sessionId,
      note: {
        id: "session-note",
        kind: "file_note",
        visibility: { scope: "staff", partyIds: [], aboutPartyIds: [] },
        body: { type: "doc", content: [] },
      },
    }),
    stranger: "missing",
  },
  "sessions.addProposal": {
    access: "subscribed",
    permission: "clients.write",
    input: ({ sessionId, partyId }) => ({
      id: sessionId,
      changeId: "change",
      proposalId: "other-proposal",
      issue: "Home",
      text: "Sell in spring",
      byPartyId: partyId,
      visibility: { scope: "staff", partyIds: [], aboutPartyIds: [] },
      countersId: null,
      release: null,
    }),
    stranger: "missing",
  },
  "sessions.setProposalStatus": {
    access: "subscribed",
    permission: "clients.write",
    input: ({ sessionId }) => ({ id: sessionId, changeId: "change", proposalId: "proposal", to: "withdrawn" }),
    stranger: "missing",
  },
  "sessions.releaseProposal": {
    access: "subscribed",
    permission: "clients.write",
    input: ({ sessionId, partyId }) => ({
      id: sessionId,
      changeId: "change",
      proposalId: "proposal",
      newProposalId: "released-proposal",
      consent: { grantedByPartyId: partyId, at: "2026-01-05T10:00:00.000Z", how: "In the room" },
    }),
    stranger: "missing",
  },
  "sessions.saveNextStep": {
    access: "subscribed",
    permission: "clients.write",
    input: ({ sessionId }) => ({
      id: sessionId,
      changeId: "change",
      step: { id: "other-step", text: "Ask the bank", partyId: null, dueOn: null },
    }),
    stranger: "missing",
  },
  "sessions.removeNextStep": {
    access: "subscribed",
    permission: "clients.write",
    input: ({ sessionId }) => ({ id: sessionId, changeId: "change", stepId: "step" }),
    stranger: "missing",
  },
  "sessions.amend": {
    access: "subscribed",
    permission: "clients.write",
    input: ({ sessionId }) => ({ id: sessionId, changeId: "change", text: "The date was wrong" }),
    stranger: "missing",
    passedGatesWith: "PRECONDITION_FAILED",
  },
};
