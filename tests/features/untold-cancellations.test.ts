// Who never heard of an appointment, and may not be contacted any more, does not hear that it is cancelled either.
import { now } from "@app/server/core/clock";
import { newId } from "@app/server/core/ids";
import { createLogger } from "@app/server/core/logger";
import { deliverCaseMail } from "@app/server/features/compose/delivery";
import { DEFAULT_SAFE_CONTACT } from "@app/shared/clients";
import { dayIn } from "@app/shared/days";
import { expect, test } from "vitest";
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
const mayNotBeMailed = async () => {
  const { id, email } = built.second;
  const { version } = await practice.api.clients.get.query({ id });
  const safeContact = { ...DEFAULT_SAFE_CONTACT, mayEmail: false };
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
