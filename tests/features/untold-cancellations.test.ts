// Who never heard of an appointment does not hear that it is cancelled either.
import { now } from "@app/server/core/clock";
import { newId } from "@app/server/core/ids";
import { stopJobs } from "@app/server/core/jobs";
import { createLogger } from "@app/server/core/logger";
import { deliverCaseMail } from "@app/server/features/compose/delivery";
import { DEFAULT_SAFE_CONTACT } from "@app/shared/clients";
import { dayIn } from "@app/shared/days";
import type { CreateMeeting, updateMeetingSchema } from "@app/shared/meetings";
import PostalMime from "postal-mime";
import { beforeAll, describe, expect, test } from "vitest";
import type { z } from "zod";
import { moveTime } from "../support/access/refusal.ts";
import { aSendingPractice } from "../support/mail/sending-practice.ts";
import { mayContact } from "../support/server/contactable.ts";
import { forEachTest } from "../support/server/lifetimes.ts";
import { aCase, aMeetingInput, clientFields, ledBy } from "../support/server/people.ts";
import { aReport } from "../support/server/safeguarded.ts";
import { aScreening, NOT_SAFE } from "../support/server/screened.ts";

const log = createLogger("silent");
const MINUTE_MS = 60_000;

const { smtp, practice } = aSendingPractice();
const built = forEachTest(async () => {
  const made = await aCase(practice, ledBy(practice.ownerId));
  await mayContact(made.theCase);
  return made;
});

beforeAll(async () => {
  // Nobody else delivers here.
  await stopJobs();
});

const today = () => dayIn("Europe/London", now());
const of = async () => {
  const { id, version } = await practice.api.cases.get.query({ id: built.theCase.id });
  return { id, version, partyId: built.p1.partyId, on: today() };
};
const deliver = async () => {
  moveTime(MINUTE_MS);
  await deliverCaseMail(log);
};
const refuse = async () =>
  practice.api.casework.recordContactAgreement.mutate({ ...(await of()), isAgreed: false, isNamed: false });

/** All that keeps whom nobody has asked yet from being contacted. */
const KEPT: Record<string, () => Promise<unknown>> = {
  "whoever came first says no": refuse,
  "whoever came first is not safe": () =>
    practice.api.screenings.complete.mutate(aScreening(built.theCase, built.p1.partyId, NOT_SAFE)),
  "whoever came first leaves": async () => {
    const left = { to: "withdrawn" as const, reason: "Said so", isOwnDecision: true };
    await practice.api.casework.moveParty.mutate({ ...(await of()), ...left });
  },
  "a concern is reported": () => practice.api.safeguarding.report.mutate(aReport(built.theCase.id)),
  "a conflict is found": () => {
    const decided = { caseId: built.theCase.id, decision: "conflicted" as const, reason: "Known" };
    return practice.api.conflicts.decide.mutate({ id: newId(), ...decided });
  },
};

const book = () =>
  practice.api.meetings.create.mutate(
    aMeetingInput(practice.ownerId, {
      caseId: built.theCase.id,
      partyIds: [built.p2.partyId],
      type: "miam",
      isInvitationSent: true,
    }),
  );
async function cancel(id: string): Promise<void> {
  const { version } = await practice.api.meetings.get.query({ id });
  const how = { reason: "They are ill", isLate: false, isWholeSeries: false };
  await practice.api.meetings.cancel.mutate({ changeId: newId(), id, version, ...how });
}
const mayNotBeMailed = async (mayEmail = false) => {
  const { id, email } = built.second;
  const { version } = await practice.api.clients.get.query({ id });
  const safeContact = { ...DEFAULT_SAFE_CONTACT, mayEmail };
  await practice.api.clients.update.mutate({ id, version, client: clientFields({ email, safeContact }) });
};
const tellings = async () => {
  const { items } = await practice.api.tasks.list.query({ clientId: built.second.id });
  return items.filter(({ title }) => title.startsWith("Tell P2"));
};
const mails = () => smtp.received.filter(({ to }) => to.includes(built.second.email)).length;

const OFF = expect.stringMatching(/^Tell P2 that the appointment is cancelled on /);

test.each(Object.entries(KEPT))(
  "meetings.cancel: when %s before the invitation leaves, then nobody is asked to tell its party of anything",
  async (_what, keep) => {
    const { id } = await book();
    await keep();
    await deliver();
    await cancel(id);
    await deliver();
    expect(await tellings()).toEqual([]);
    expect(mails()).toBe(0);
  },
);

test("meetings.cancel: when the invitation left before whoever came first says no, then somebody is asked to tell its party", async () => {
  const { id } = await book();
  await deliver();
  expect(mails()).toBe(1);
  await refuse();
  await cancel(id);
  await deliver();
  expect(await tellings()).toMatchObject([{ title: OFF }]);
  expect(mails()).toBe(1);
});

test("meetings.cancel: whoever may not be mailed and was not told yet is told of nothing, and the task to tell them ends", async () => {
  await mayNotBeMailed();
  const { id } = await book();
  expect(await tellings()).toMatchObject([{ title: expect.stringMatching(/^Tell P2 of the appointment on /) }]);
  await refuse();
  await cancel(id);
  expect(await tellings()).toEqual([]);
});

test("meetings.cancel: whoever may not be mailed and was told by somebody is told that it is off", async () => {
  await mayNotBeMailed();
  const { id } = await book();
  for (const task of await tellings()) await practice.api.tasks.setStatus.mutate({ id: task.id, status: "done" });
  await refuse();
  await cancel(id);
  expect(await tellings()).toMatchObject([{ title: OFF }]);
});

describe("an appointment of which nothing left to its party", () => {
  type Details = Omit<z.input<typeof updateMeetingSchema>, "id" | "version">;
  const both = () => [built.p1.partyId, built.p2.partyId];
  const bookFor = (partyIds: string[], other: Partial<CreateMeeting> = {}) =>
    practice.api.meetings.create.mutate(
      aMeetingInput(practice.ownerId, { caseId: built.theCase.id, partyIds, isInvitationSent: true, ...other }),
    );
  async function change(id: string, other: Partial<Details>): Promise<void> {
    const { version, ...before } = await practice.api.meetings.get.query({ id });
    const { type, title, location, mediatorIds, partyIds, arrivals, note } = before;
    const details = { type, title, location, mediatorIds, partyIds, arrivals, note };
    await practice.api.meetings.update.mutate({ id, version, ...details, ...other });
  }
  async function move(id: string): Promise<string> {
    const { version } = await practice.api.meetings.get.query({ id });
    const when = { startsAt: "2031-03-11T14:00:00.000Z", endsAt: "2031-03-11T15:00:00.000Z", allowsOverlap: false };
    const moved = await practice.api.meetings.reschedule.mutate({
      changeId: newId(),
      id,
      version,
      reason: "",
      ...when,
    });
    return moved.id;
  }
  const got = async () => {
    const mails = smtp.received.filter(({ to }) => to.includes(built.second.email));
    const read = await Promise.all(mails.map(({ source }) => PostalMime.parse(source)));
    return read.map(({ subject, text = "" }) => `${subject} ${/When: .*, (\S+) \(/.exec(text)?.[1] ?? ""}`.trim());
  };
  const messagesInPreview = async () => {
    const of = { caseId: built.theCase.id, partyId: built.p2.partyId };
    const { items } = await practice.api.partyView.preview.query(of);
    return items.filter(({ kind }) => kind === "message").map(({ title }) => title);
  };

  test("when they were named by mistake and taken off again at once, then nothing leaves to them, and their preview has nothing of it", async () => {
    const { id } = await bookFor([built.p1.partyId]);
    await deliver();
    await change(id, { partyIds: both() });
    await change(id, { partyIds: [built.p1.partyId] });
    await deliver();
    expect(await got()).toEqual([]);
    expect(await messagesInPreview()).toEqual([]);
    expect(await tellings()).toEqual([]);
  });

  test("when they were told that it is off, and are named and taken off again by mistake, then they are not told so twice; asked anew, they are", async () => {
    const { id } = await bookFor(both());
    await deliver();
    const nameAgain = async () => change(id, { partyIds: both() });
    const takeOff = async () => change(id, { partyIds: [built.p1.partyId] });
    await takeOff();
    await deliver();
    const off = expect.stringContaining("cancelled");
    expect(await got()).toEqual([expect.any(String), off]);
    await nameAgain();
    await takeOff();
    await deliver();
    expect(await got()).toHaveLength(2);
    await nameAgain();
    await deliver();
    await takeOff();
    await deliver();
    expect(await got()).toEqual([expect.any(String), off, expect.any(String), off]);
  });

  test("when it is cancelled at once, then nothing leaves to anybody", async () => {
    const { id } = await bookFor(both());
    await cancel(id);
    await deliver();
    expect(smtp.received).toEqual([]);
  });

  test("when it is moved at once and cancelled, then nothing leaves to anybody", async () => {
    const { id } = await bookFor(both());
    await cancel(await move(id));
    await deliver();
    expect(smtp.received).toEqual([]);
  });

  test("when they may not be mailed as it is to leave, and may again when it is cancelled, then nothing leaves, and whoever may have told them is asked to", async () => {
    const { id } = await bookFor(both());
    await mayNotBeMailed();
    await deliver();
    await mayNotBeMailed(true);
    await cancel(id);
    await deliver();
    expect(await got()).toEqual([]);
    expect(await tellings()).toMatchObject([
      {
        title: expect.stringMatching(
          /^Tell P2 that the appointment is cancelled on .*: nothing says that they heard of it/,
        ),
      },
    ]);
  });

  test("when they knew of another time, to which it was moved without their knowing, then they hear that that one is off", async () => {
    const { id } = await bookFor(both());
    await deliver();
    await cancel(await move(id));
    await deliver();
    expect(await got()).toEqual(["Your appointment 09:00", "Your appointment is cancelled 09:00"]);
  });

  test("when its time was confirmed with them by phone, then they hear that it is off", async () => {
    const { id, version } = await bookFor([built.p2.partyId], { type: "miam" });
    await practice.api.meetings.setStatus.mutate({ id, version, to: "confirmed" });
    await cancel(id);
    await deliver();
    expect(await got()).toEqual(["Your appointment is cancelled 09:00"]);
  });
});
