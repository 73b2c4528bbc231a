// Somebody chose times, and by now none of them is free. Their page says so to whoever opens it again; whoever does not
// would wait for ever, so a colleague asks them.
import mongoose from "mongoose";
import { isRestricted, safeNow } from "@app/shared/clients";
import { waysToReach } from "@app/shared/safe-channels";
import { MINUTE_MS, now } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { defineRepeatedJob } from "../../core/jobs.ts";
import { getCase } from "../cases/cases.service.ts";
import { getClient } from "../clients/clients.service.ts";
import { keptUnaskedIn } from "../ladders/unasked.service.ts";
import { takesFromOutside } from "../subscriptions/subscriptions.service.ts";
import { askStaff } from "./ask-staff.ts";
import { scopeOf } from "./open-links.service.ts";
import { type OpenPair, openSide, unbookedTimes } from "./pair-picks.service.ts";
import { type BookingPairDoc, BookingPairModel } from "./pairs.model.ts";

const LOOKED_EVERY_MS = 10 * MINUTE_MS;
const AT_ONCE = 100;

/** Those that were looked at longest ago come first. */
export async function tellOfLostPicks(): Promise<void> {
  const before = new Date(now().getTime() - LOOKED_EVERY_MS);
  const due = await BookingPairModel.find({ isEnded: false, picksLookedAt: mongoose.trusted({ $lte: before }) })
    .setOptions({ anyOwner: true })
    .sort({ picksLookedAt: 1 })
    .limit(AT_ONCE)
    .lean();
  for (const doc of due) {
    await BookingPairModel.updateOne({ ownerId: doc.ownerId, _id: doc._id }, { $set: { picksLookedAt: now() } });
    await lookAt(doc);
  }
}

defineRepeatedJob({
  name: "look for choices of which nothing is free",
  everyMs: 5 * MINUTE_MS,
  takenOverAfterMs: 15 * MINUTE_MS,
  run: tellOfLostPicks,
});

async function lookAt(doc: BookingPairDoc): Promise<void> {
  const chosen = doc.sides.filter(({ picks, isToldLost }) => picks.length > 0 && isToldLost !== true);
  if (chosen.length === 0 || !(await takesFromOutside(doc.ownerId))) return;
  const open = await Promise.all(chosen.map((side) => openSide(doc, side)));
  // Of whoever must not hear of it, or has a time that is kept, nobody is told.
  const waiting = open.flatMap((one) => (one && !one.meeting && !one.isCancelled ? [one] : []));
  if (waiting.length === 0) return;
  const free = new Set(await unbookedTimes(doc));
  for (const one of waiting) if (!one.side.picks.some((at) => free.has(at.getTime()))) await tell(one);
}

async function tell({ doc, side, clientId }: OpenPair): Promise<void> {
  const { ownerId, _id, caseId, createdBy } = doc;
  const isKept = await keptUnaskedIn(ownerId, await getCase(scopeOf(doc), caseId));
  if (isKept(side.partyId)) return;
  const client = await getClient(scopeOf(doc), clientId);
  const ways = isRestricted(client.safeContact) ? `: ${waysToReach(safeNow(client))}` : "";
  const words = `No time that ${client.displayName} chose is free any more: ask them, alone, to choose others by their link${ways}`;
  await inTransaction(async () => {
    const { modifiedCount } = await BookingPairModel.updateOne(
      { ownerId, _id, "sides.publicHash": side.publicHash, meetingId: doc.meetingId },
      { $set: { "sides.$.isToldLost": true } },
    );
    if (modifiedCount > 0) await askStaff({ ownerId, assigneeId: createdBy, caseId, clientId }, words);
  });
}
