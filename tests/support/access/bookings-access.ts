import { aLink, aPair, SAM } from "../server/booked.ts";
import type { Door } from "./door.ts";

const PERMISSIONS = ["clients.read", "calendar.manage"] as const;
const id = "p".repeat(43);
const holder = "h".repeat(43);
const startsAt = "2031-03-03T09:00:00.000Z";
const sent = { formToken: "x.y.z", website: "" };

export const BOOKINGS_ACCESS: Record<string, Door> = {
  "bookings.listLinks": { access: "subscribed", permission: PERMISSIONS, input: () => ({ page: 1 }), stranger: "own" },
  "bookings.getLink": {
    access: "subscribed",
    permission: PERMISSIONS,
    input: ({ linkId }) => ({ id: linkId }),
    stranger: "missing",
  },
  "bookings.createLink": {
    access: "subscribed",
    permission: PERMISSIONS,
    input: ({ ownerId, clientId }) => aLink(ownerId, { clientId }),
    stranger: "missing",
  },
  "bookings.updateLink": {
    access: "subscribed",
    permission: PERMISSIONS,
    input: ({ ownerId, linkId }) => ({ ...aLink(ownerId), id: linkId, version: 0 }),
    stranger: "missing",
  },
  "bookings.setLinkArchived": {
    access: "subscribed",
    permission: PERMISSIONS,
    input: ({ linkId }) => ({ id: linkId, isArchived: true }),
    stranger: "missing",
  },
  "bookings.depositChoices": { access: "subscribed", permission: PERMISSIONS, stranger: "own" },
  "bookings.deposit": {
    access: "subscribed",
    permission: ["clients.read", "payments.read"],
    input: ({ meetingId }) => ({ meetingId }),
    stranger: "missing",
  },
  "bookings.listPairs": { access: "subscribed", permission: PERMISSIONS, input: () => ({ page: 1 }), stranger: "own" },
  "bookings.createPair": {
    access: "subscribed",
    permission: PERMISSIONS,
    input: ({ ownerId, caseId, partyId }) => aPair(ownerId, { caseId, partyIds: [partyId, partyId] }),
    stranger: "missing",
    passedGatesWith: "BAD_REQUEST",
  },
  "bookings.endPair": {
    access: "subscribed",
    permission: PERMISSIONS,
    input: ({ pairId }) => ({ id: pairId }),
    stranger: "missing",
  },
  "bookings.pick": { access: "public", input: () => ({ ...sent, id, times: [startsAt], timeZone: "Europe/London" }) },
  "bookings.answer": { access: "public", input: () => ({ ...sent, id, isAgreed: true }) },
  "bookings.page": { access: "public", input: () => ({ id }) },
  "bookings.slots": { access: "public", input: () => ({ id, mediatorId: null }) },
  "bookings.hold": {
    access: "public",
    input: () => ({ id, version: 0, mediatorId: null, startsAt, holder, timeZone: "Europe/London" }),
  },
  "bookings.letGo": { access: "public", input: () => ({ id, holder }) },
  "bookings.book": {
    access: "public",
    input: () => ({
      ...sent,
      id,
      version: 0,
      mediatorId: null,
      startsAt,
      holder,
      timeZone: "UTC",
      person: SAM,
      answers: [],
    }),
  },
  "bookings.move": { access: "public", input: () => ({ ...sent, id, startsAt }) },
  "bookings.cancel": { access: "public", input: () => ({ ...sent, id }) },
};
