import { createHash } from "node:crypto";
import mongoose from "mongoose";
import type { z } from "zod";
import { MEETING_TYPE_NAMES } from "@app/shared/meeting-states";
import type { FeedLevel, feedSchema, Meeting, newFeedSchema } from "@app/shared/meetings";
import { DAY_MS, now } from "../../core/clock.ts";
import { hashToken } from "../../core/crypto.ts";
import { newToken } from "../../core/ids.ts";
import { publicUrl } from "../../core/settings.ts";
import type { Logger } from "../../core/logger.ts";
import type { Scope } from "../../core/trpc.ts";
import { scopeNow } from "../access/standing.service.ts";
import { findSignInUser } from "../users/credentials.service.ts";
import { practiceNameOf } from "../practices/practices.service.ts";
import { type CalendarFeedDoc, CalendarFeedModel } from "./availability.model.ts";
import { feedIcs, type IcsEvent } from "./ics.ts";
import { MeetingModel } from "./meetings.model.ts";
import { toMeetings } from "./meeting-mapping.ts";

/** What making a feed asks for. */
export const FEED_PERMISSIONS = ["clients.read"] as const;
const PAST_MS = 90 * DAY_MS;
const FUTURE_MS = 365 * DAY_MS;
const EVENTS_MAX = 5000;

const epochOf = async (id: string): Promise<number | undefined> => (await findSignInUser({ id }))?.epoch;

export async function getFeed(scope: Scope): Promise<z.infer<typeof feedSchema>> {
  const doc = await CalendarFeedModel.findOne({ ownerId: scope.ownerId, _id: scope.userId }).lean();
  if (!doc || doc.epoch !== (await epochOf(scope.userId))) return null;
  return { level: doc.level, createdAt: doc.createdAt.toISOString() };
}

/** A new secret address; an older one stops working at once, and this one with the next new password. */
export async function makeFeed(scope: Scope, { level }: { level: FeedLevel }): Promise<z.infer<typeof newFeedSchema>> {
  const token = newToken();
  const epoch = await epochOf(scope.userId);
  await CalendarFeedModel.updateOne(
    { _id: scope.userId, ownerId: scope.ownerId },
    { $set: { tokenHash: hashToken(token), level, createdAt: now(), epoch } },
    { upsert: true },
  );
  return { address: `${publicUrl()}/ical/${token}.ics`, level };
}

export async function revokeFeed(scope: Scope): Promise<null> {
  await CalendarFeedModel.deleteOne({ ownerId: scope.ownerId, _id: scope.userId });
  return null;
}

type FoundFeed = Pick<CalendarFeedDoc, "_id" | "ownerId" | "level">;

/** What a secret address stands for; null where it never did, or does no more. */
export async function findFeed(token: string): Promise<FoundFeed | null> {
  const feed = await CalendarFeedModel.findOne({ tokenHash: hashToken(token) })
    .setOptions({ anyOwner: true })
    .lean();
  return feed && feed.epoch === (await epochOf(feed._id)) ? feed : null;
}

/** The calendar as its person would see it in the product now; null where they may not see it any more. */
export async function readFeed(feed: FoundFeed, log: Logger): Promise<{ ics: string; etag: string } | null> {
  const scope = await scopeNow({ ownerId: feed.ownerId, userId: feed._id }, FEED_PERMISSIONS, log);
  if (!scope) return null;
  const docs = await MeetingModel.find({
    ownerId: feed.ownerId,
    mediatorIds: feed._id,
    startsAt: mongoose.trusted({
      $gt: new Date(now().getTime() - PAST_MS),
      $lt: new Date(now().getTime() + FUTURE_MS),
    }),
    status: mongoose.trusted({ $nin: ["rescheduled", "cancelled", "expired"] }),
  })
    .sort({ startsAt: 1, _id: 1 })
    .limit(EVENTS_MAX)
    .lean();
  const meetings = await toMeetings(scope, docs);
  const name = `${await practiceNameOf(feed.ownerId)}, ${scope.userName}`;
  const events = meetings.map((meeting, index) => ({
    ...eventOf(meeting, feed.level),
    sequence: docs[index]?.version ?? 0,
  }));
  const etag = createHash("sha256")
    .update(JSON.stringify([name, events]))
    .digest("base64url");
  return { ics: feedIcs(name, events), etag: `"${etag}"` };
}

/** How much of a meeting stands in a calendar that others keep: by default its kind and initials. */
function eventOf(meeting: Meeting, level: FeedLevel): Omit<IcsEvent, "sequence"> {
  const { id, type, status, location, rooms, people, isBusyOnly } = meeting;
  const common = {
    uid: `${id}@evenhand`,
    startsAt: new Date(meeting.startsAt),
    endsAt: new Date(meeting.endsAt),
    isTentative: status === "proposed",
  };
  if (level === "busy" || isBusyOnly) return { ...common, title: "Busy", location: "" };
  const kind = MEETING_TYPE_NAMES[type];
  if (level === "initials")
    return { ...common, title: [kind, ...people.map(({ name }) => initials(name))].join(" "), location: "" };
  const names = people.map(({ name }) => name).join(", ");
  const place = [...rooms.map((room) => room.name), location.place].filter(Boolean).join(", ");
  return { ...common, title: [kind, names].filter(Boolean).join(": "), location: place };
}

const initials = (name: string): string =>
  name
    .split(/[\s-]+/)
    .map((word) => word.charAt(0).toUpperCase())
    .join("");
