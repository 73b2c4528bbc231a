import mongoose from "mongoose";
import type { Availability } from "@app/shared/availability";
import type { FeedLevel } from "@app/shared/meetings";
import { DAY_MS } from "../../core/clock.ts";
import { newId } from "../../core/ids.ts";
import { owned } from "../../core/owned.ts";
import { definePublicToken } from "../../core/public-tokens.ts";
import { defineRemoval, removeFrom } from "../../core/removals.ts";

/** The week that somebody looks at is still whole. */
export const BUSY_KEPT_MS = 7 * DAY_MS;

const required = { type: String, required: true };

/** An imported calendar; when it says that somebody is busy is kept beside it. */
interface BusyCalendarDoc {
  _id: string;
  ownerId: string;
  userId: string;
  name: string;
  /** How many busy times it held when it was imported. */
  count: number;
  importedAt: Date;
}

const busyCalendarMongooseSchema = new mongoose.Schema<BusyCalendarDoc>(
  {
    _id: { type: String, default: newId },
    userId: required,
    name: required,
    count: { type: Number, required: true },
    importedAt: { type: Date, required: true },
  },
  { collection: "busy_calendars", versionKey: false },
);
busyCalendarMongooseSchema.plugin(owned);
busyCalendarMongooseSchema.index({ ownerId: 1, userId: 1, name: 1 }, { unique: true });
export const BusyCalendarModel = mongoose.model("BusyCalendar", busyCalendarMongooseSchema);

export interface BusyTimesDoc {
  _id: string;
  ownerId: string;
  userId: string;
  /** Which imported calendar they came from. */
  calendar: string;
  /** The first moment and the last of all of them. */
  from: Date;
  to: Date;
  /** In their order, and none overlaps another. */
  times: { from: Date; to: Date }[];
}

const busyTimesMongooseSchema = new mongoose.Schema<BusyTimesDoc>(
  {
    _id: { type: String, default: newId },
    userId: required,
    calendar: required,
    from: { type: Date, required: true },
    to: { type: Date, required: true },
    times: [{ _id: false, from: Date, to: Date }],
  },
  { collection: "busy_times", versionKey: false },
);
busyTimesMongooseSchema.plugin(owned);
busyTimesMongooseSchema.index({ ownerId: 1, userId: 1, to: 1 });
busyTimesMongooseSchema.index({ to: 1 });
/** A calendar's busy times of four weeks. */
export const BusyTimesModel = mongoose.model("BusyTimes", busyTimesMongooseSchema);

defineRemoval({ of: "busy times that are over", keptMs: BUSY_KEPT_MS, remove: removeFrom("busy_times", "to") });

/** Hours of before somebody could be booked from outside have only the first two. */
interface AvailabilityDoc
  extends Omit<Availability, "otherHours" | "rules">, Partial<Pick<Availability, "otherHours" | "rules">> {
  _id: string;
  ownerId: string;
  version: number;
}

const availabilityMongooseSchema = new mongoose.Schema<AvailabilityDoc>(
  {
    _id: required,
    weekly: [{ _id: false, weekday: Number, from: String, to: String }],
    daysOff: [String],
    otherHours: {
      type: [{ _id: false, day: String, ranges: [{ _id: false, from: String, to: String }] }],
      default: undefined,
    },
    rules: {
      type: {
        _id: false,
        bufferBeforeMinutes: Number,
        bufferAfterMinutes: Number,
        minNoticeHours: Number,
        horizonDays: Number,
        maxPerDay: Number,
        stepMinutes: Number,
      },
      default: undefined,
    },
    version: { type: Number, required: true },
  },
  { collection: "availability", versionKey: false },
);
availabilityMongooseSchema.plugin(owned);
/** Keyed by user id: when somebody works. */
export const AvailabilityModel = mongoose.model("Availability", availabilityMongooseSchema);

export interface CalendarFeedDoc {
  _id: string;
  ownerId: string;
  tokenHash: string;
  level: FeedLevel;
  createdAt: Date;
  /** Of the sign-in by which it was made: a new password ends the address with everything else that the old one opened. */
  epoch: number;
}

const calendarFeedMongooseSchema = new mongoose.Schema<CalendarFeedDoc>(
  {
    _id: required,
    tokenHash: required,
    level: required,
    createdAt: { type: Date, required: true },
    epoch: { type: Number, required: true },
  },
  { collection: "calendar_feeds", versionKey: false },
);
calendarFeedMongooseSchema.plugin(owned);
calendarFeedMongooseSchema.index({ tokenHash: 1 }, { unique: true });
definePublicToken({ collection: "calendar_feeds", path: "tokenHash" });
/** Keyed by user id: the secret address of their calendar. */
export const CalendarFeedModel = mongoose.model("CalendarFeed", calendarFeedMongooseSchema);
