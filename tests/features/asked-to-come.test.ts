// What would keep a meeting from being booked keeps everybody from being asked to come to one that was.
import { newId } from "@app/server/core/ids";
import { createLogger } from "@app/server/core/logger";
import { remindOfMeetings } from "@app/server/features/meetings/meeting-reminders";
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { aLetterTo } from "../support/mail/letters.ts";
import { fieldsOf } from "../support/server/heard-child.ts";
import { TODAY } from "../support/server/led.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { aCase, aMeetingInput, aPractice } from "../support/server/people.ts";
import { aScreening, NOT_SAFE, withMeasures } from "../support/server/screened.ts";
import { screenedCaseOf } from "../support/server/screened-case.ts";
import { startTestApp } from "../support/server/test-app.ts";

const HOUR_MS = 3_600_000;
const log = createLogger("silent");
const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));

const reminders = (caseId: string) =>
  OutboxModel.countDocuments({ ownerId: practice.ownerId, caseId, purpose: "reminder" });
const tomorrow = () => ({
  startsAt: new Date(Date.now() + 20 * HOUR_MS).toISOString(),
  isInvitationSent: true,
});

/** A mediation of tomorrow to which both were invited. */
async function booked() {
  const built = await screenedCaseOf(practice, [{}, {}]);
  const meeting = await practice.api.meetings.create.mutate(built.input(tomorrow()));
  return { ...built, meeting, book: () => practice.api.meetings.create.mutate(built.input()) };
}
type Booked = Awaited<ReturnType<typeof booked>>;

const screen = ({ theCase, p1 }: Booked, found: Parameters<typeof aScreening>[2]) =>
  practice.api.screenings.complete.mutate(aScreening(theCase, p1.partyId, found));

async function review({ p1, start }: Booked) {
  const { id } = await start(practice.api);
  const found = { hasChanged: true, isSafe: false, doMeasuresFit: true, note: "He waits outside" };
  await practice.api.sessions.reviewSafety.mutate({ id, changeId: newId(), partyId: p1.partyId, ...found });
}

async function strike({ theCase, p1 }: Booked) {
  const { items } = await practice.api.screenings.list.query({ caseId: theCase.id });
  const id = items.find(({ partyId }) => partyId === p1.partyId)?.id ?? "";
  await practice.api.screenings.strike.mutate({ id, reason: "It was somebody else" });
}

async function keepApart({ theCase: { id } }: Booked) {
  const theCase = await practice.api.cases.get.query({ id });
  const { version, children } = theCase;
  const flags = { ...theCase.flags, mustNotMeet: true };
  await practice.api.casework.update.mutate({ ...fieldsOf(theCase), id, version, children, flags });
}

/** What both get of it by now: their reminders, the entry in a letter, and whether they see it as confirmed. */
async function askedTo({ theCase, p1, p2, meeting }: Booked) {
  await remindOfMeetings(log);
  const letters = [p1, p2].map(async ({ clientId, partyId }) => {
    const { email } = await practice.api.clients.get.query({ id: clientId });
    const letter = aLetterTo(email, { clientId, caseId: theCase.id, meetingId: meeting.id });
    const { problems } = await practice.api.compose.check.mutate(letter);
    const { items } = await practice.api.partyView.preview.query({ caseId: theCase.id, partyId });
    const seen = items.find(({ id }) => id === meeting.id)?.detail ?? "";
    return { problems: problems.map(({ code }) => code), isConfirmed: !seen.includes("Not confirmed") };
  });
  return { reminders: await reminders(theCase.id), letters: await Promise.all(letters) };
}

const tasks = async () =>
  (await practice.api.tasks.list.query({})).items.filter(({ title }) => title.startsWith("Nobody was reminded"));
const ASKED = { problems: [], isConfirmed: true };
const NOT_ASKED = { problems: ["meeting"], isConfirmed: false };

test("a joint meeting: when nothing is found since, then both are asked to come", async () => {
  expect(await askedTo(await booked())).toEqual({ reminders: 2, letters: [ASKED, ASKED] });
});

test.each<[string, (booking: Booked) => Promise<unknown>]>([
  ["a screening finds somebody not safe", (booking) => screen(booking, NOT_SAFE)],
  ["a safety review finds somebody not safe", review],
  ["a screening is struck", strike],
  ["a screening asks for other arrivals", (booking) => screen(booking, withMeasures("separate_arrivals"))],
  ["a screening asks that it is online", (booking) => screen(booking, withMeasures("online_only"))],
  ["they are not to meet", keepApart],
])(
  "a joint meeting: when %s since, then neither is asked to come, and whoever booked it has a task that tells nothing",
  async (_what, finds) => {
    const booking = await booked();
    await finds(booking);
    expect((await refusal(booking.book())).code).toMatch(/^(PRECONDITION_FAILED|BAD_REQUEST)$/);
    expect(await askedTo(booking)).toEqual({ reminders: 0, letters: [NOT_ASKED, NOT_ASKED] });
    const title = expect.stringMatching(/: it has to wait for the safety screening\. Ask a colleague/);
    expect(await tasks()).toMatchObject([{ title, assigneeId: practice.ownerId, caseId: null }]);
  },
);

test("a joint meeting: when it goes without measures for a reason that was given, then both are asked to come", async () => {
  const booking = await booked();
  await screen(booking, withMeasures("separate_arrivals"));
  const { id, version, type, title, location, mediatorIds, partyIds, arrivals, note } =
    await practice.api.meetings.get.query({ id: booking.meeting.id });
  const details = { type, title, location, mediatorIds, partyIds, arrivals, note };
  await practice.api.meetings.update.mutate({
    id,
    version,
    ...details,
    againstMeasures: "They asked to come together",
  });
  expect(await askedTo(booking)).toMatchObject({ reminders: 2, letters: [ASKED, ASKED] });
});

test("a joint meeting: when whoever came first says no to contacting the other, then nobody is reminded of it", async () => {
  const { theCase, p1, p2 } = await aCase(practice);
  const partyIds = [p1.partyId, p2.partyId];
  await practice.api.meetings.create.mutate(
    aMeetingInput(practice.ownerId, { ...tomorrow(), caseId: theCase.id, partyIds, type: "other" }),
  );
  const { id, version } = await practice.api.cases.get.query({ id: theCase.id });
  const said = { id, version, partyId: p1.partyId, isAgreed: false, isNamed: false, on: TODAY };
  await practice.api.casework.recordContactAgreement.mutate(said);
  await remindOfMeetings(log);
  expect(await reminders(theCase.id)).toBe(0);
  expect(await tasks()).toMatchObject([{ title: expect.stringContaining("not everybody may be contacted yet") }]);
});
