import mongoose from "mongoose";
import type { Availability, FeedLevel } from "@app/shared/meetings";
import { newId } from "../../core/ids.ts";
import { owned } from "../../core/owned.ts";

const required = { type: String, required: true };

export interface BusyBlockDoc {
  _id: string;
  ownerId: string;
  userId: string;
  /** Which imported calendar it came from. */
  calendar: string;
  startsAt: Date;
  endsAt: Date;
  importedAt: Date;
}

const busyBlockMongooseSchema = new mongoose.Schema<BusyBlockDoc>(
  {
    _id: { type: String, default: newId },
    userId: required,
    calendar: required,
    startsAt: { type: Date, required: true },
    endsAt: { type: Date, required: true },
    importedAt: { type: Date, required: true },
  },
  { collection: "busy_blocks", versionKey: false },
);
busyBlockMongooseSchema.plugin(owned);
busyBlockMongooseSchema.index({ ownerId: 1, userId: 1, startsAt: 1 });
export const BusyBlockModel = mongoose.model("BusyBlock", busyBlockMongooseSchema);

interface AvailabilityDoc extends Availability {
  _id: string;
  ownerId: string;
}

const availabilityMongooseSchema = new mongoose.Schema<AvailabilityDoc>(
  {
    _id: required,
    weekly: [{ _id: false, weekday: Number, from: String, to: String }],
    daysOff: [String],
  },
  { collection: "availability", versionKey: false },
);
availabilityMongooseSchema.plugin(owned);
/** Keyed by user id: when somebody works. */
export const AvailabilityModel = mongoose.model("Availability", availabilityMongooseSchema);

interface CalendarFeedDoc {
  _id: string;
  ownerId: string;
  tokenHash: string;
  level: FeedLevel;
  createdAt: Date;
}

const calendarFeedMongooseSchema = new mongoose.Schema<CalendarFeedDoc>(
  { _id: required, tokenHash: required, level: required, createdAt: { type: Date, required: true } },
  { collection: "calendar_feeds", versionKey: false },
);
calendarFeedMongooseSchema.plugin(owned);
calendarFeedMongooseSchema.index({ tokenHash: 1 }, { unique: true });
/** Keyed by user id: the secret address of their calendar. */
export const CalendarFeedModel = mongoose.model("CalendarFeed", calendarFeedMongooseSchema);
