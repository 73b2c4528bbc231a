import { newId } from "@app/server/core/ids";
import { addDays } from "@app/shared/days";
import type { Door } from "./door.ts";
import { aMeetingInput, aRoom } from "../server/people.ts";

/** Tomorrow, since busy times of long ago or far ahead are left out. */
const tomorrow = addDays(new Date().toISOString().slice(0, 10), 1).replaceAll("-", "");
const BUSY = [
  "BEGIN:VCALENDAR",
  "VERSION:2.0",
  "PRODID:x",
  "BEGIN:VEVENT",
  "UID:busy",
  `DTSTAMP:${tomorrow}T000000Z`,
  `DTSTART:${tomorrow}T140000Z`,
  `DTEND:${tomorrow}T150000Z`,
  "END:VEVENT",
  "END:VCALENDAR",
  "",
].join("\r\n");

const cancelling = () => ({ changeId: newId(), version: 0, reason: "Ill", isLate: false });

export const MEETINGS_ACCESS: Record<string, Door> = {
  "meetings.calendar": {
    access: "subscribed",
    permission: "clients.read",
    input: () => ({ from: "2031-03-01T00:00:00.000Z", to: "2031-04-01T00:00:00.000Z" }),
    stranger: "own",
  },
  "meetings.month": {
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
    permission: ["clients.read", "calendar.manage"],
    input: ({ ownerId, caseId }) => aMeetingInput(ownerId, { caseId, startsAt: "2031-03-05T09:00:00.000Z" }),
    more: [
      ({ ownerId, caseId, partyId }) =>
        aMeetingInput(ownerId, {
          caseId,
          partyIds: [partyId],
          startsAt: "2031-03-07T09:00:00.000Z",
          isInvitationSent: true,
        }),
    ],
    stranger: "missing",
  },
  "meetings.update": {
    access: "subscribed",
    permission: ["clients.read", "calendar.manage"],
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
    permission: ["clients.read", "calendar.manage"],
    input: ({ meetingId }) => ({
      changeId: newId(),
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
    permission: ["clients.read", "calendar.manage"],
    input: ({ meetingId }) => ({ ...cancelling(), id: meetingId, isWholeSeries: false }),
    more: [({ seriesId }) => ({ ...cancelling(), id: seriesId, isWholeSeries: true })],
    stranger: "missing",
  },
  "meetings.setStatus": {
    access: "subscribed",
    permission: ["clients.read", "calendar.manage"],
    input: ({ meetingId }) => ({ id: meetingId, version: 0, to: "confirmed" }),
    stranger: "missing",
  },
  "meetings.setAttendance": {
    access: "subscribed",
    permission: ["clients.read", "calendar.manage"],
    input: ({ pastMeetingId, partyId }) => ({ id: pastMeetingId, partyId, attendance: "present" }),
    stranger: "missing",
  },
  "meetings.noteAgreedTime": {
    access: "subscribed",
    permission: ["clients.read", "calendar.manage"],
    input: ({ missedMeetingId, partyId }) => ({ id: missedMeetingId, partyId, how: "by_phone" }),
    stranger: "missing",
  },
  "meetings.noteOther": {
    access: "subscribed",
    permission: ["clients.read", "calendar.manage"],
    input: ({ meetingId, otherId }) => ({ id: meetingId, personId: otherId, signedOn: "2026-01-05" }),
    stranger: "missing",
  },
  "rooms.list": { access: "subscribed", permission: "clients.read", stranger: "own" },
  "rooms.create": {
    access: "subscribed",
    permission: ["clients.read", "calendar.manage"],
    input: () => aRoom({ name: `Room ${newId()}` }),
    stranger: "own",
  },
  "rooms.update": {
    access: "subscribed",
    permission: ["clients.read", "calendar.manage"],
    input: ({ roomId }) => ({ id: roomId, version: 0, name: "Changed", place: "", capacity: null, notes: "" }),
    stranger: "missing",
  },
  "rooms.setStatus": {
    access: "subscribed",
    permission: ["clients.read", "calendar.manage"],
    input: ({ roomId }) => ({ id: roomId, status: "archived" }),
    stranger: "missing",
  },
  "meetings.settleReply": {
    access: "subscribed",
    permission: ["clients.read", "calendar.manage"],
    input: ({ meetingId, partyId }) => ({ id: meetingId, partyId, reply: "accepted", isTheirs: true }),
    stranger: "missing",
    passedGatesWith: "PRECONDITION_FAILED",
  },
  "meetings.availability": { access: "subscribed", permission: "clients.read", stranger: "own" },
  "meetings.setAvailability": {
    access: "subscribed",
    permission: ["clients.read", "calendar.manage"],
    input: () => ({ weekly: [{ weekday: 1, from: "09:00", to: "12:00" }], daysOff: ["2031-01-01"], version: 0 }),
    stranger: "own",
  },
  "meetings.listBusy": { access: "subscribed", permission: "clients.read", stranger: "own" },
  "meetings.importBusy": {
    access: "subscribed",
    permission: ["clients.read", "calendar.manage"],
    input: () => ({ name: "Home", ics: BUSY }),
    stranger: "own",
  },
  "meetings.removeBusy": {
    access: "subscribed",
    permission: ["clients.read", "calendar.manage"],
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
};
