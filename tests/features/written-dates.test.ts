// Dates that people read stand in the practice's zone, as its region writes them.
import { ClientModel } from "@app/server/features/clients/clients.model";
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import { contentOf } from "@app/server/features/outbox/outbox.service";
import { beforeAll, expect, test } from "vitest";
import { pdfText } from "../support/hostile/pdf-text.ts";
import { aCase, aMeetingInput, aPractice } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

let built: Awaited<ReturnType<typeof aCase>>;
/** In New York it is still the day before. */
const startsAt = "2031-12-11T01:30:00.000Z";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
beforeAll(async () => {
  const { currency: _currency, ...before } = await practice.api.practices.get.query();
  const region = "united_states" as const;
  await practice.api.practices.update.mutate({ ...before, region, timeZone: "America/New_York" });
  built = await aCase(practice);
  const { theCase, p1 } = built;
  const coming = { caseId: theCase.id, partyIds: [p1.partyId], isInvitationSent: true, startsAt };
  await practice.api.meetings.create.mutate(aMeetingInput(practice.ownerId, coming));
});

test("an invitation: when a practice far away sends it, then its date is written as people there write dates", async () => {
  const [mail] = await OutboxModel.find({ ownerId: practice.ownerId }).lean();
  if (!mail) throw new Error("no invitation waits");
  expect(contentOf(mail).text).toContain("When: Wednesday, December 10, 2031, 8:30 PM (Eastern Time)");
});

test("the record of a client: when it is downloaded, then its dates and its history are those of the practice", async () => {
  const text = await pdfText(app, practice, `/export/clients/${built.first.id}.pdf`);
  expect(text).toContain("december 10, 2031");
  expect(text).toContain("on wednesday, december 10, 2031 at 8:30 pm booked");
  expect(text).not.toMatch(/20\d\d-\d\d-\d\d/);
});

test("clients.csv: when somebody was added late in the evening there, then on that day", async () => {
  const createdAt = new Date("2026-03-02T03:00:00Z");
  await ClientModel.updateOne(
    { ownerId: practice.ownerId, _id: built.first.id },
    { $set: { createdAt } },
    { timestamps: false, overwriteImmutable: true },
  );
  const answer = await fetch(`${app.url}/export/clients.csv`, { headers: { cookie: practice.cookies() } });
  expect(await answer.text()).toMatch(new RegExp(`${built.first.lastName}.*,2026-03-01\r\n`));
});
