import mongoose from "mongoose";
import type { InvitationReply, MeetingStatus } from "@app/shared/meeting-states";
import type { AgreedTime } from "@app/shared/agreed-times";
import type { CreateMeeting, Meeting } from "@app/shared/meetings";
import type { Measure } from "@app/shared/screenings";
import type { BookedOther, BookedRoom } from "@app/shared/meeting-others";
import { decrypt, encrypt } from "../../core/crypto.ts";
import { newId } from "../../core/ids.ts";
import { owned } from "../../core/owned.ts";
import { defineSealedField } from "../../core/sealed-fields.ts";
import { asPlain, type Missing } from "../screenings/missing-then.service.ts";
import { bookingField, type MeetingBooking } from "./meeting-bookings.ts";
import type { PartyEntry } from "./meeting-uids.service.ts";

export interface PartyReply {
  partyId: string;
  reply: InvitationReply;
  sequence: number;
}

/** What those whom it named then were told of a meeting, until somebody changed it. */
export type PastDetails = Pick<MeetingDoc, "type" | "location" | "arrivals" | "startsAt" | "endsAt" | "partyIds"> & {
  until: Date;
  /** Not there in what was told before there were any. */
  rooms?: BookedRoom[];
  others?: BookedOther[];
};

export interface MeetingDoc extends Pick<
  CreateMeeting,
  "type" | "title" | "location" | "mediatorIds" | "partyIds" | "arrivals" | "arrangements" | "note" | "caseId"
> {
  _id: string;
  ownerId: string;
  clientIds: string[];
  /** Missing in those of before anybody was asked with which children they are. */
  childIds?: string[];
  rooms: BookedRoom[];
  others: BookedOther[];
  /** Of these each is in one meeting at a time: rooms, interpreters and co-mediators. Derived, for the look-up. */
  heldIds: string[];
  startsAt: Date;
  endsAt: Date;
  timeZone: string;
  status: MeetingStatus;
  /** Holds the mediators' time, unless somebody allowed the overlap. */
  isHolding: boolean;
  attendance: Meeting["attendance"];
  /** Why it goes without what was agreed for somebody's safety, encrypted as a screening is; empty where it does not. */
  againstMeasuresEnc: string;
  /** Of which measures that reason speaks; missing where it was given before this was kept: then of all. */
  explained?: Measure[];
  /** What was missing when it was held; not there where nothing ever was. */
  unmet?: string[];
  /** The same of what is read as a screening is. */
  unmetSafety?: string[];
  /** Encrypted: why it was held all the same. */
  unmetBecauseEnc?: string;
  /** When somebody said so, and who; not there in those of before this was kept. */
  unmetSaid?: { at: Date; byId: string; byName: string };
  /** Answers to invitations; only those to the newest that the party got count. */
  replies: PartyReply[];
  /** Answers of whom nobody knows who wrote them: they count once somebody of the practice says so. */
  claims: PartyReply[];
  /** Whether those who did not come had agreed to its time; not there where nobody said anything to it. */
  agreedTimes?: AgreedTime[];
  reason: string;
  isLate: boolean;
  seriesId: string | null;
  rescheduledFromId: string | null;
  /** By what the calendar of each party knows it: a secret between the practice and that party. */
  uids: PartyEntry[];
  isInvitationSent: boolean;
  /** What its parties are still to be told, and who tells them; not there where nothing waits. */
  untold?: { purpose: "invitation" | "cancellation"; by: string };
  remindedAt: Date | null;
  /** When a mail with its calendar entry was last written. */
  writtenAt: Date | null;
  createdBy: string;
  /** When what its parties are told of it last changed; not there while it is as it was booked. */
  changedAt?: Date;
  /** What its parties were told before each change, the oldest first: for those who left meanwhile. */
  past?: PastDetails[];
  /** Its parties are invited when it is booked, and were told nothing before. */
  isInvitedOnceBooked?: boolean;
  /** In which zone each of them chose it by a link of their own. */
  chosenIn?: { partyId: string; timeZone: string }[];
  /** Not there in what the practice booked itself. */
  booking?: MeetingBooking;
  createdAt: Date;
  updatedAt: Date;
  version: number;
}

const text = { type: String, default: "" };
const required = { type: String, required: true };
const link = { type: String, default: null };
const arrivalField = { _id: false, partyId: String, minutesBefore: Number };
const roomField = { _id: false, roomId: String, partyIds: [String], name: String, place: text };
const otherField = {
  _id: false,
  kind: String,
  personId: String,
  role: String,
  partyId: link,
  signedOn: text,
  name: String,
  attendance: link,
};
const replyField = { _id: false, partyId: String, reply: String, sequence: Number };

const meetingMongooseSchema = new mongoose.Schema<MeetingDoc>(
  {
    _id: { type: String, default: newId },
    type: required,
    title: text,
    location: { kind: required, place: text },
    mediatorIds: [String],
    partyIds: [String],
    arrivals: [arrivalField],
    childIds: [String],
    arrangements: [String],
    againstMeasuresEnc: text,
    explained: { type: [String], default: undefined },
    unmet: { type: [String], default: undefined },
    unmetSafety: { type: [String], default: undefined },
    unmetBecauseEnc: String,
    unmetSaid: { type: { _id: false, at: Date, byId: String, byName: String }, default: undefined },
    note: text,
    caseId: link,
    clientIds: [String],
    rooms: [roomField],
    others: [otherField],
    heldIds: [String],
    startsAt: { type: Date, required: true },
    endsAt: { type: Date, required: true },
    timeZone: required,
    status: required,
    isHolding: { type: Boolean, required: true },
    attendance: [{ _id: false, partyId: String, attendance: String }],
    replies: [replyField],
    claims: [replyField],
    agreedTimes: { type: [{ _id: false, partyId: String, how: String }], default: undefined },
    reason: text,
    isLate: { type: Boolean, default: false },
    seriesId: link,
    rescheduledFromId: link,
    changedAt: Date,
    past: [
      {
        _id: false,
        until: Date,
        type: { type: String },
        location: { kind: String, place: String },
        arrivals: [arrivalField],
        partyIds: [String],
        rooms: { type: [roomField], default: undefined },
        others: { type: [otherField], default: undefined },
        startsAt: Date,
        endsAt: Date,
      },
    ],
    uids: [{ _id: false, partyId: String, uid: String, sequence: Number }],
    isInvitationSent: { type: Boolean, default: false },
    untold: { type: { _id: false, purpose: String, by: String } },
    remindedAt: { type: Date, default: null },
    writtenAt: { type: Date, default: null },
    createdBy: required,
    isInvitedOnceBooked: Boolean,
    chosenIn: { type: [{ _id: false, partyId: String, timeZone: String }], default: undefined },
    booking: { type: bookingField, default: undefined },
    version: { type: Number, default: 0 },
  },
  { timestamps: true, collection: "meetings", versionKey: false },
);
meetingMongooseSchema.plugin(owned);
meetingMongooseSchema.index({ ownerId: 1, startsAt: 1, _id: 1 });
meetingMongooseSchema.index({ ownerId: 1, mediatorIds: 1, startsAt: 1 });
meetingMongooseSchema.index({ ownerId: 1, heldIds: 1, startsAt: 1 });
meetingMongooseSchema.index({ ownerId: 1, clientIds: 1, startsAt: 1 });
meetingMongooseSchema.index({ ownerId: 1, caseId: 1, startsAt: 1 });
meetingMongooseSchema.index({ ownerId: 1, seriesId: 1 });
meetingMongooseSchema.index({ ownerId: 1, "uids.uid": 1 });
meetingMongooseSchema.index(
  { "booking.tokenHash": 1 },
  { partialFilterExpression: { "booking.tokenHash": { $exists: true } } },
);
meetingMongooseSchema.index(
  { "booking.sentHash": 1 },
  { partialFilterExpression: { "booking.sentHash": { $exists: true } } },
);
meetingMongooseSchema.index({ remindedAt: 1, startsAt: 1 });
meetingMongooseSchema.index(
  { ownerId: 1, startsAt: 1 },
  { name: "still_to_tell", partialFilterExpression: { "untold.by": { $exists: true } } },
);

export const MeetingModel = mongoose.model("Meeting", meetingMongooseSchema);

const placeOf = (ownerId: string, id: string) => `meetings:${ownerId}:${id}:againstMeasures`;
const placeOfUnmet = (ownerId: string, id: string) => `meetings:${ownerId}:${id}:unmetBecause`;
defineSealedField({
  collection: "meetings",
  path: "unmetBecauseEnc",
  placeOf: (doc) => placeOfUnmet(doc.ownerId, doc._id),
});
defineSealedField({
  collection: "meetings",
  path: "againstMeasuresEnc",
  placeOf: (doc) => placeOf(doc.ownerId, doc._id),
});

export const sealExplained = (
  ownerId: string,
  id: string,
  { reason, explained }: { reason: string; explained: Measure[] },
): Required<Pick<MeetingDoc, "againstMeasuresEnc" | "explained">> => ({
  againstMeasuresEnc: reason === "" ? "" : encrypt(reason, placeOf(ownerId, id)),
  explained,
});

export const sealUnmet = (
  { ownerId, _id }: Pick<MeetingDoc, "ownerId" | "_id">,
  missing: readonly Missing[],
  reason: string,
): Required<Pick<MeetingDoc, "unmet" | "unmetSafety" | "unmetBecauseEnc">> => ({
  unmet: missing.flatMap(({ text, isSafety }) => (isSafety ? [] : [text])),
  unmetSafety: missing.flatMap(({ text, isSafety }) => (isSafety ? [text] : [])),
  unmetBecauseEnc: encrypt(reason, placeOfUnmet(ownerId, _id)),
});

/** What was missing when it was held, and why it was all the same. */
export const unmetOf = ({ ownerId, _id, unmet = [], unmetSafety = [], unmetBecauseEnc: sealed }: MeetingDoc) => ({
  missing: [...unmet.map(asPlain), ...unmetSafety.map((text) => ({ text, isSafety: true }))],
  reason: sealed ? decrypt(sealed, placeOfUnmet(ownerId, _id)) : "",
});

export const againstMeasuresOf = ({ ownerId, _id, againstMeasuresEnc: sealed }: MeetingDoc): string =>
  sealed ? decrypt(sealed, placeOf(ownerId, _id)) : "";

const lockMongooseSchema = new mongoose.Schema<{ _id: string; ownerId: string; turns: number }>(
  { _id: { type: String, required: true }, turns: { type: Number, default: 0 } },
  { collection: "calendar_locks", versionKey: false },
);
lockMongooseSchema.plugin(owned);

/**
 * One for each mediator, room and interpreter and UTC day: whoever books there changes it, so that bookings of one day come one by one. And one
 * for the busy times of a practice, which are counted.
 */
export const CalendarLockModel = mongoose.model("CalendarLock", lockMongooseSchema);
