// Everybody who comes within a day is reminded of it once.
import { newId } from "@app/server/core/ids";
import { bringBackDueTimes } from "@app/server/core/due-times";
import { createLogger } from "@app/server/core/logger";
import { remindOfMeetings } from "@app/server/features/meetings/meeting-reminders";
import { MeetingModel } from "@app/server/features/meetings/meetings.model";
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import { contentOf } from "@app/server/features/outbox/outbox.service";
import { expect, test } from "vitest";
import { moveTime } from "../support/access/refusal.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aCase, aMeetingInput, aPractice } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const HOUR_MS = 3_600_000;
const app = forAllTests(startTestApp);
const log = createLogger("silent");

/** The subjects of the reminders of a case. */
async function remindersOf(caseId: string): Promise<string[]> {
  const docs = await OutboxModel.find({ caseId, purpose: "reminder" }).setOptions({ anyOwner: true }).lean();
  return docs.map((doc) => contentOf(doc).subject);
}

test("a meeting of tomorrow is reminded of once, however many processes remind, and a cancelled one never", async () => {
  const own = await aPractice(app);
  const { theCase, p1 } = await aCase(own);
  const soon = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();
  const invite = { caseId: theCase.id, partyIds: [p1.partyId], isInvitationSent: true };
  await own.api.meetings.create.mutate(aMeetingInput(own.ownerId, { ...invite, startsAt: soon(20) }));
  const gone = await own.api.meetings.create.mutate(aMeetingInput(own.ownerId, { ...invite, startsAt: soon(22) }));
  await own.api.meetings.cancel.mutate({
    changeId: newId(),
    id: gone.id,
    version: gone.version,
    reason: "Ill",
    isLate: false,
    isWholeSeries: false,
  });
  await Promise.all([remindOfMeetings(log), remindOfMeetings(log), remindOfMeetings(log)]);
  expect(await remindersOf(theCase.id)).toEqual(["Appointment reminder"]);
});

test("S79: a clock that is a day ahead reminds of a meeting, then at the right time it is reminded of all the same", async () => {
  const own = await aPractice(app);
  const { theCase, p1 } = await aCase(own);
  const startsAt = new Date(Date.now() + 30 * HOUR_MS).toISOString();
  const { id } = await own.api.meetings.create.mutate(
    aMeetingInput(own.ownerId, { caseId: theCase.id, partyIds: [p1.partyId], isInvitationSent: true, startsAt }),
  );
  const remindedAt = async () => (await MeetingModel.findOne({ _id: id, ownerId: own.ownerId }).lean())?.remindedAt;
  moveTime(24 * HOUR_MS);
  await remindOfMeetings(log);
  expect(await remindedAt()).toBeInstanceOf(Date);
  moveTime(0);
  await bringBackDueTimes(log);
  expect(await remindedAt()).toBeNull();
  moveTime(7 * HOUR_MS);
  await remindOfMeetings(log);
  expect(await remindersOf(theCase.id)).toEqual(["Appointment reminder", "Appointment reminder"]);
});
