// What a meeting keeps that somebody booked from outside by a link: who they are, and by which secret they may move it.
import { z } from "zod";
import { decrypt, encrypt, hashToken } from "../../core/crypto.ts";
import { newToken } from "../../core/ids.ts";
import { definePublicToken } from "../../core/public-tokens.ts";
import { defineSealedField } from "../../core/sealed-fields.ts";
import { publicUrl } from "../../core/settings.ts";

const visitorSchema = z.object({ name: z.string(), email: z.string(), phone: z.string() });
const detailsSchema = z.object({
  /** Opens the page on which it is moved and cancelled. */
  token: z.string(),
  /** Null where it is a client, who is known. */
  visitor: visitorSchema.nullable(),
  answers: z.array(z.object({ label: z.string(), answer: z.string() })),
});
export type BookingDetails = z.infer<typeof detailsSchema>;

export interface MeetingBooking {
  linkId: string;
  /** Which client booked it; null for somebody who is none. Nobody else who comes learns of the booking. */
  clientId: string | null;
  tokenHash: string;
  /** What was sent to book it, so that the same sent again is answered as the first time; not there in those of before. */
  sentHash?: string;
  /** Encrypted: who it is, what they answered, and their secret. */
  detailsEnc: string;
  /** In which they read its time. */
  timeZone: string;
  /** By what the calendar of a visitor knows it, and which version they were told; parties have theirs beside it. */
  uid: string;
  sequence: number;
}

const required = { type: String, required: true };
export const bookingField = {
  _id: false,
  linkId: required,
  clientId: { type: String, default: null },
  tokenHash: required,
  sentHash: String,
  detailsEnc: required,
  timeZone: required,
  uid: required,
  sequence: { type: Number, required: true },
};

definePublicToken({ collection: "meetings", path: "booking.tokenHash" });

const placeOf = (ownerId: string, id: string) => `meetings:${ownerId}:${id}:booking`;
defineSealedField({
  collection: "meetings",
  path: "booking.detailsEnc",
  placeOf: (doc) => placeOf(doc.ownerId, doc._id),
});

/** Where whoever holds this secret sees their meeting. */
export const manageAddress = (token: string): string => `${publicUrl()}/schedule-meeting/${token}`;

interface Of {
  ownerId: string;
  _id: string;
}

export type NewBooking = BookingDetails & Pick<MeetingBooking, "linkId" | "clientId" | "timeZone" | "sentHash">;

export const bookingOf = (
  { ownerId, _id }: Of,
  { linkId, clientId, timeZone, sentHash, ...details }: NewBooking,
): MeetingBooking => ({
  linkId,
  clientId,
  timeZone,
  tokenHash: hashToken(details.token),
  ...(sentHash === undefined ? {} : { sentHash }),
  detailsEnc: encrypt(JSON.stringify(details), placeOf(ownerId, _id)),
  uid: newToken(),
  sequence: 0,
});

export const detailsOf = ({ ownerId, _id, booking }: Of & { booking?: MeetingBooking }): BookingDetails | null =>
  booking ? detailsSchema.parse(JSON.parse(decrypt(booking.detailsEnc, placeOf(ownerId, _id)))) : null;

/** Null also where the client who booked it is not of the meeting any more: what they said is none of those who are. */
export const visitOf = (
  doc: Of & { booking?: MeetingBooking; clientIds: readonly string[] },
): BookingDetails | null => {
  const bookedBy = doc.booking?.clientId ?? null;
  return bookedBy === null || doc.clientIds.includes(bookedBy) ? detailsOf(doc) : null;
};

/** The same for the meeting in whose place this one comes: the visitor's calendar entry and their link go on. */
export function bookingMoved(doc: Of & { booking?: MeetingBooking }, next: Of): { booking?: MeetingBooking } {
  const details = detailsOf(doc);
  if (!doc.booking || !details) return {};
  const { sequence } = doc.booking;
  const detailsEnc = encrypt(JSON.stringify(details), placeOf(next.ownerId, next._id));
  return { booking: { ...doc.booking, detailsEnc, sequence: sequence + 1 } };
}

/** What the visitor is told once more. */
export const bookingToldAnew = ({ booking }: { booking?: MeetingBooking }): { booking?: MeetingBooking } =>
  booking ? { booking: { ...booking, sequence: booking.sequence + 1 } } : {};
