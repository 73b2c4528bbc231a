import { PRACTICE_ONLY } from "@app/shared/visibility";
import mongoose from "mongoose";
import { daysAgo } from "../server/assessments.ts";
import type { Door, Target } from "./door.ts";

const LAST_WEEK = { startedAt: `${daysAgo(7)}T10:00:00.000Z`, endedAt: `${daysAgo(7)}T11:00:00.000Z` };

/** Whoever is in a session that is under way begins no other one. */
const nobodyIsInSession = ({ caseId }: Target): Promise<unknown> =>
  mongoose.connection
    .collection("sessions")
    .updateMany({ caseId, status: "in_progress" }, { $set: { status: "ended" } });

/** The procedures of what is written in a case: notes and sessions. */
export const RECORDS_ACCESS: Record<string, Door> = {
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
    permission: ["clients.read", "clients.write"],
    input: ({ caseId, clientId }) => ({
      id: "new-note",
      caseId,
      clientId,
      kind: "file_note",
      visibility: { scope: "staff", partyIds: [], aboutPartyIds: [] },
      body: { type: "doc", content: [] },
    }),
    more: [
      ({ caseId, clientId, savedNoteId }) => ({
        id: savedNoteId,
        caseId,
        clientId,
        kind: "file_note",
        visibility: PRACTICE_ONLY,
        body: { type: "doc", content: [] },
      }),
    ],
    stranger: "missing",
  },
  "notes.update": {
    access: "subscribed",
    permission: ["clients.read", "clients.write"],
    input: ({ noteId }) => ({ id: noteId, version: 0, saveId: "save", body: { type: "doc", content: [] } }),
    stranger: "missing",
  },
  "notes.remove": {
    access: "subscribed",
    permission: ["clients.read", "clients.write"],
    input: ({ noteId }) => ({ id: noteId }),
    stranger: "missing",
  },
  "notes.restore": {
    access: "subscribed",
    permission: ["clients.read", "clients.write"],
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
    permission: ["clients.read", "clients.write"],
    input: ({ savedNoteId }) => ({ id: savedNoteId, version: 1, restored: 0, saveId: "restore" }),
    stranger: "missing",
  },
  "notes.release": {
    access: "subscribed",
    permission: ["clients.read", "clients.write"],
    input: ({ noteId, partyId }) => ({
      id: noteId,
      newId: "released-note",
      body: { type: "doc", content: [] },
      consent: { grantedByPartyId: partyId, at: new Date().toISOString(), how: "In the room" },
    }),
    stranger: "missing",
  },

  "sessions.meetings": {
    access: "subscribed",
    permission: "clients.read",
    input: ({ caseId }) => ({ id: caseId }),
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
    passedGatesWith: "PRECONDITION_FAILED",
  },
  "sessions.create": {
    access: "subscribed",
    permission: ["clients.read", "clients.write"],
    input: ({ caseId }) => ({ id: "new-session", caseId, meetingId: null }),
    stranger: "missing",
  },
  "sessions.start": {
    access: "subscribed",
    permission: ["clients.read", "clients.write"],
    input: ({ caseId }) => ({ id: "started-session", caseId, meetingId: null }),
    more: [
      ({ caseId }) => ({ id: "explained-session", caseId, meetingId: null, unmetReason: "They asked for it" }),
      ({ caseId, sessionId }) => ({ id: sessionId, caseId, meetingId: null }),
      ({ caseId, meetingId }) => ({ id: "meeting-session", caseId, meetingId }),
    ],
    prepare: nobodyIsInSession,
    stranger: "missing",
  },
  "sessions.record": {
    access: "subscribed",
    permission: ["clients.read", "clients.write"],
    input: ({ caseId }) => ({ id: "recorded-session", caseId, meetingId: null, ...LAST_WEEK, unmetReason: "On paper" }),
    more: [
      ({ caseId, meetingId }) => ({ id: "held-session", caseId, meetingId, ...LAST_WEEK, unmetReason: "On paper" }),
    ],
    stranger: "missing",
  },
  "sessions.setTimes": {
    access: "subscribed",
    permission: ["clients.read", "clients.write"],
    input: ({ sessionId }) => ({
      id: sessionId,
      changeId: "other-time",
      ...LAST_WEEK,
      reason: "Another day",
      unmetReason: "On paper",
    }),
    stranger: "missing",
    passedGatesWith: "PRECONDITION_FAILED",
  },
  "sessions.update": {
    access: "subscribed",
    permission: ["clients.read", "clients.write"],
    input: ({ sessionId }) => ({ id: sessionId, changeId: "change", minutes: 30 }),
    stranger: "missing",
  },
  "sessions.reviewSafety": {
    access: "subscribed",
    permission: ["clients.read", "clients.write", "screening.read"],
    input: ({ sessionId, partyId }) => ({
      id: sessionId,
      changeId: "review",
      partyId,
      hasChanged: false,
      isSafe: true,
      doMeasuresFit: true,
      note: "",
    }),
    stranger: "missing",
  },
  "sessions.move": {
    access: "subscribed",
    permission: ["clients.read", "clients.write"],
    input: ({ sessionId }) => ({ id: sessionId, changeId: "change", to: "ended" }),
    more: [({ sessionId }) => ({ id: sessionId, changeId: "other-change", to: "locked" })],
    stranger: "missing",
  },
  "sessions.setPaused": {
    access: "subscribed",
    permission: ["clients.read", "clients.write"],
    input: ({ sessionId }) => ({ id: sessionId, changeId: "change", isPaused: true }),
    stranger: "missing",
  },
  "sessions.setAttendance": {
    access: "subscribed",
    permission: ["clients.read", "clients.write"],
    input: ({ sessionId, partyId }) => ({ id: sessionId, changeId: "change", partyId, state: "present" }),
    stranger: "missing",
  },
  "sessions.saveTopic": {
    access: "subscribed",
    permission: ["clients.read", "clients.write"],
    input: ({ sessionId }) => ({
      id: sessionId,
      changeId: "change",
      topic: { id: "topic", topic: "Home", privilege: "none", minutes: 20, isDone: false },
    }),
    stranger: "missing",
  },
  "sessions.removeTopic": {
    access: "subscribed",
    permission: ["clients.read", "clients.write"],
    input: ({ sessionId }) => ({ id: sessionId, changeId: "change", topicId: "topic" }),
    stranger: "missing",
  },
  "sessions.addNote": {
    access: "subscribed",
    permission: ["clients.read", "clients.write"],
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
    permission: ["clients.read", "clients.write"],
    input: ({ sessionId, partyId }) => ({
      id: sessionId,
      changeId: "change",
      proposalId: "other-proposal",
      issue: "Home",
      text: "Sell in spring",
      byPartyId: partyId,
      visibility: { scope: "staff", partyIds: [], aboutPartyIds: [] },
      countersId: null,
      on: null,
      release: null,
    }),
    stranger: "missing",
  },
  "sessions.setProposalStatus": {
    access: "subscribed",
    permission: ["clients.read", "clients.write"],
    input: ({ sessionId }) => ({
      id: sessionId,
      changeId: "change",
      proposalId: "proposal",
      to: "withdrawn",
      answer: null,
    }),
    stranger: "missing",
  },
  "sessions.releaseProposal": {
    access: "subscribed",
    permission: ["clients.read", "clients.write"],
    input: ({ sessionId, partyId }) => ({
      id: sessionId,
      changeId: "change",
      proposalId: "proposal",
      newProposalId: "released-proposal",
      consent: { grantedByPartyId: partyId, at: new Date().toISOString(), how: "In the room" },
    }),
    stranger: "missing",
  },
  "sessions.saveNextStep": {
    access: "subscribed",
    permission: ["clients.read", "clients.write"],
    input: ({ sessionId }) => ({
      id: sessionId,
      changeId: "change",
      step: { id: "other-step", text: "Ask the bank", partyId: null, dueOn: null },
    }),
    stranger: "missing",
  },
  "sessions.removeNextStep": {
    access: "subscribed",
    permission: ["clients.read", "clients.write"],
    input: ({ sessionId }) => ({ id: sessionId, changeId: "change", stepId: "step" }),
    stranger: "missing",
  },
  "sessions.amend": {
    access: "subscribed",
    permission: ["clients.read", "clients.write"],
    input: ({ sessionId }) => ({ id: sessionId, changeId: "change", text: "The date was wrong" }),
    stranger: "missing",
    passedGatesWith: "PRECONDITION_FAILED",
  },
};
