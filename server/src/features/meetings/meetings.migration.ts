import mongoose from "mongoose";
import { inTransaction } from "../../core/database.ts";
import type { Logger } from "../../core/logger.ts";
import { findCaseLabels } from "../cases/cases.service.ts";
import { systemScope } from "../../core/system-scope.ts";
import { findSignInUser } from "../users/credentials.service.ts";
import { AvailabilityModel, CalendarFeedModel } from "./availability.model.ts";
import { keepCalendar } from "./busy-times.ts";
import { noteSide } from "../contacts/contact-cases.service.ts";
import { uidsFor } from "./meeting-uids.service.ts";
import { MeetingModel } from "./meetings.model.ts";
import { merged } from "@app/shared/spans";

interface OldMeeting {
  _id: string;
  ownerId: string;
  caseId: string | null;
  partyIds: string[];
  icsUid: string;
}

/**
 * Meetings of before named every party by one name and the party's label. Calendars know them by it, so it stays theirs
 * for changes and cancellations.
 */
export async function uidsOfMeetings(log: Logger): Promise<void> {
  const old = mongoose.connection.collection<OldMeeting>(MeetingModel.collection.name);
  let count = 0;
  for await (const { _id, ownerId, caseId, partyIds, icsUid } of old.find({ icsUid: { $exists: true } })) {
    const labels = caseId ? (await findCaseLabels(systemScope(ownerId), [caseId])).get(caseId) : undefined;
    const invited = (labels?.parties ?? []).filter(({ partyId }) => partyIds.includes(partyId));
    const before = invited.map(({ partyId, label }) => ({
      partyId,
      uid: `${icsUid}-${label.toLowerCase()}`,
      sequence: 0,
    }));
    await old.updateOne({ _id }, { $set: { uids: uidsFor(partyIds, before), claims: [] }, $unset: { icsUid: "" } });
    count += 1;
  }
  log.info({ count }, "meetings know what calendars call them");
}

interface CountedMeeting {
  _id: string;
  uids: { partyId: string; uid: string }[];
  icsSequence: number;
}

/** Meetings of before counted their changes for all parties alike; from now on each entry counts its own. */
export async function sequencesOfParties(log: Logger): Promise<void> {
  const old = mongoose.connection.collection<CountedMeeting>(MeetingModel.collection.name);
  let count = 0;
  for await (const { _id, uids, icsSequence } of old.find({ icsSequence: { $exists: true } })) {
    const counted = uids.map((entry) => ({ ...entry, sequence: icsSequence }));
    await old.updateOne({ _id }, { $set: { uids: counted }, $unset: { icsSequence: "" } });
    count += 1;
  }
  log.info({ count }, "each party of a meeting has a count of its changes");
}

/** Meetings that were moved bore the time of a change from before the move, as if its parties had been told it then. */
export async function movedMeetingsAreNew(log: Logger): Promise<void> {
  const old = mongoose.connection.collection<{ _id: string; createdAt: Date; changedAt: Date }>(
    MeetingModel.collection.name,
  );
  let count = 0;
  for await (const { _id, createdAt, changedAt } of old.find({ changedAt: { $exists: true } })) {
    if (changedAt >= createdAt) continue;
    await old.updateOne({ _id }, { $unset: { changedAt: "" } });
    count += 1;
  }
  log.info({ count }, "meetings that were moved are told of as of their move");
}

interface OldBlock {
  _id: string;
  ownerId: string;
  userId: string;
  calendar: string;
  startsAt: Date;
  endsAt: Date;
  importedAt: Date;
}

/** Each busy time of another calendar was kept by itself; now whole calendars are, and what overlaps is one time. */
export async function calendarsOfBusyTimes(log: Logger): Promise<void> {
  const old = mongoose.connection.collection<OldBlock>("busy_blocks");
  let count = 0;
  for (let first = await old.findOne({}); first; first = await old.findOne({})) {
    const { ownerId, userId, calendar, importedAt } = first;
    const own = { ownerId, userId, calendar };
    const blocks = await old.find(own).toArray();
    const times = merged(blocks.map(({ startsAt, endsAt }) => ({ from: startsAt.getTime(), to: endsAt.getTime() })));
    await inTransaction(() => keepCalendar({ ownerId, userId, name: calendar }, times, importedAt));
    await old.deleteMany(own);
    count += 1;
  }
  log.info({ count }, "other calendars are kept as wholes");
}

const UNTOLD_BEFORE = "untold.by_1";

/** What waits to be told has an index in the order in which it is asked for (`still_to_tell`). */
export async function untoldInTheirOrder(): Promise<void> {
  const { collection } = MeetingModel;
  if (await collection.indexExists(UNTOLD_BEFORE)) await collection.dropIndex(UNTOLD_BEFORE);
}

/** What is arranged for somebody's safety, from before that was asked: nothing was. */
export async function arrangementsOfMeetings(): Promise<void> {
  await MeetingModel.collection.updateMany(
    { arrangements: { $exists: false } },
    { $set: { arrangements: [], againstMeasuresEnc: "" } },
  );
}

/** Secret addresses of calendars from before they ended with a password go on until the next new one. */
export async function epochsOfFeeds(log: Logger): Promise<void> {
  const feeds = mongoose.connection.collection<{ _id: string }>(CalendarFeedModel.collection.name);
  let count = 0;
  for await (const { _id } of feeds.find({ epoch: { $exists: false } })) {
    const user = await findSignInUser({ id: _id });
    await feeds.updateOne({ _id }, { $set: { epoch: user?.epoch ?? 0 } });
    count += 1;
  }
  log.info({ count }, "calendar feeds end with a new password");
}

interface ChangedMeeting {
  _id: string;
  partyIds: string[];
  uids: { partyId: string }[];
  past: { partyIds?: string[] }[];
}

/**
 * What was told of a meeting before a change did not keep whom it named then. Everybody whom it ever named has an entry
 * there: where that is one party alone, it was them; else it may be another's, and is shown to nobody.
 */
export async function whomMeetingsNamed(log: Logger): Promise<void> {
  const old = mongoose.connection.collection<ChangedMeeting>(MeetingModel.collection.name);
  let count = 0;
  for await (const { _id, partyIds, uids, past } of old.find({
    past: { $elemMatch: { partyIds: { $exists: false } } },
  })) {
    const isOneAlone = uids.length === 1 && partyIds.length === 1;
    const named = past.map((telling) => ({ partyIds: isOneAlone ? partyIds : [], ...telling }));
    await old.updateOne({ _id }, { $set: { past: named } });
    count += 1;
  }
  log.info({ count }, "what was told of meetings before knows whom it named");
}

/** Rooms and people beside the parties, from before there were any: nobody knows of one. */
export async function roomsOfMeetings(): Promise<void> {
  await MeetingModel.collection.updateMany(
    { heldIds: { $exists: false } },
    { $set: { rooms: [], others: [], heldIds: [] } },
  );
}

/** Working hours of before they had a version. */
export async function versionsOfHours(): Promise<void> {
  await AvailabilityModel.collection.updateMany({ version: { $exists: false } }, { $set: { version: 1 } });
}

/**
 * Contacts on nobody's side who came to a meeting for one party, from before that was refused: they know what that party
 * knows, and stand on that side for whoever writes to the other.
 */
export async function sidesOfWhoCame(log: Logger): Promise<void> {
  const meetings = MeetingModel.find(
    { others: mongoose.trusted({ $elemMatch: { kind: "contact", partyId: { $ne: null } } }) },
    { ownerId: 1, caseId: 1, others: 1 },
  )
    .setOptions({ anyOwner: true })
    .lean()
    .cursor();
  let count = 0;
  for await (const { ownerId, caseId, others } of meetings)
    for (const { kind, personId, partyId } of others) {
      if (kind !== "contact" || partyId === null || caseId === null) continue;
      await noteSide(ownerId, personId, { caseId, partyId });
      count += 1;
    }
  log.info({ count }, "sides of those who came to meetings for one party noted");
}
