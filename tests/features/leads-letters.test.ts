// What is written to somebody who asks, from the page of their lead: once it has left, they are answered.
import { newId } from "@app/server/core/ids";
import { stopJobs } from "@app/server/core/jobs";
import { createLogger } from "@app/server/core/logger";
import { deliverCaseMail } from "@app/server/features/compose/delivery";
import { captureLead } from "@app/server/features/leads/lead-capture.service";
import { settleLeads } from "@app/server/features/leads/lead-arrivals";
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import { contentOf } from "@app/server/features/outbox/outbox.service";
import { type Enquiry, NO_ATTRIBUTION } from "@app/shared/leads";
import { beforeAll, expect, test } from "vitest";
import { anEnquiry } from "../support/access/leads-access.ts";
import { refusal } from "../support/access/refusal.ts";
import { aSendingPractice } from "../support/mail/sending-practice.ts";

const { smtp, practice } = aSendingPractice();
const log = createLogger("silent");
beforeAll(async () => {
  // Nobody else delivers here.
  await stopJobs();
});

async function arrive(lead: Partial<Enquiry> = {}): Promise<string> {
  const enquiry = anEnquiry({ email: `winifred.${newId()}@example.org`, ...lead });
  const captured = {
    channel: "form",
    lead: enquiry,
    attribution: NO_ATTRIBUTION,
    consent: "",
    flags: [],
    answers: null,
  } as const;
  const { id } = await captureLead(practice.ownerId, { ...captured, flags: [] });
  await settleLeads(log);
  return id;
}

const mails = async () => (await OutboxModel.find({ ownerId: practice.ownerId }).lean()).map(contentOf);
const lead = (id: string) => practice.api.leads.get.query({ id });

test("leads.write: a mail from the page of a lead, once it has left, is the first answer, and the automatic one is none", async () => {
  await practice.api.leads.setSettings.mutate({ isReplyOn: true });
  const id = await arrive();
  const twin = await arrive({ email: (await lead(id)).email });
  const stranger = await arrive();
  await deliverCaseMail(log);
  expect((await OutboxModel.find({ ownerId: practice.ownerId }).lean()).map(({ state }) => state)).toEqual([
    "sent",
    "sent",
  ]);
  expect(await lead(id)).toMatchObject({ firstResponseAt: null });
  const letter = { id, changeId: newId(), subject: "Your message", text: "We can phone on Monday." };
  expect(await practice.api.leads.write.mutate(letter)).toMatchObject({
    firstResponseAt: null,
    letters: [{ state: "queued" }],
  });
  await deliverCaseMail(log);
  const after = await lead(id);
  expect(after).toMatchObject({ letters: [{ state: "sent" }], status: "new" });
  expect(after.firstResponseAt).not.toBeNull();
  expect((await lead(twin)).firstResponseAt).not.toBeNull();
  expect((await lead(stranger)).firstResponseAt).toBeNull();
  expect((await practice.api.tasks.list.query({})).items).toHaveLength(1);
  const sent = smtp.received.filter(({ source }) => source.includes("We can phone on Monday."));
  expect(sent).toHaveLength(1);
});

test("leads.erase: a lead that was written to, when it is erased, takes the mails along", async () => {
  const id = await arrive();
  const letter = { id, changeId: newId(), subject: "Your message", text: "Hello" };
  await practice.api.leads.write.mutate(letter);
  expect(await mails()).toHaveLength(1);
  await practice.api.leads.erase.mutate({ id });
  expect(await mails()).toEqual([]);
});

test("leads.write: to somebody who asked for another way, it is refused and nothing waits to leave", async () => {
  const id = await arrive({ reachBy: "phone" });
  const letter = { id, changeId: newId(), subject: "Your message", text: "Hello" };
  expect(await refusal(practice.api.leads.write.mutate(letter))).toMatchObject({ code: "PRECONDITION_FAILED" });
  expect(await mails()).toEqual([]);
});

test("leads.write: when the address is corrected before it leaves, then it goes nowhere, and its writer is told", async () => {
  const id = await arrive();
  const letter = { id, changeId: newId(), subject: "Your message", text: "We can phone on Monday." };
  await practice.api.leads.write.mutate(letter);
  const { version, email: wrong } = await lead(id);
  const email = `right.${newId()}@example.org`;
  await practice.api.leads.update.mutate({ id, version, lead: anEnquiry({ email }) });
  await deliverCaseMail(log);
  expect(smtp.received.filter(({ to }) => to.includes(wrong))).toEqual([]);
  expect(await lead(id)).toMatchObject({ letters: [{ state: "failed" }] });
  const { items } = await practice.api.tasks.list.query({});
  expect(items.map(({ title }) => title)).toContainEqual(
    expect.stringMatching(/^A message did not leave: .* has another address than the one to which this was written/),
  );
});

test("leads.write: when they ask not to be reached by email before it leaves, then it goes nowhere, and its writer is told", async () => {
  const id = await arrive();
  const letter = { id, changeId: newId(), subject: "Your message", text: "We can phone on Monday." };
  await practice.api.leads.write.mutate(letter);
  const { version, email } = await lead(id);
  await practice.api.leads.update.mutate({ id, version, lead: anEnquiry({ email, reachBy: "phone" }) });
  await deliverCaseMail(log);
  expect(smtp.received.filter(({ to }) => to.includes(email))).toEqual([]);
  expect(await lead(id)).toMatchObject({ letters: [{ state: "failed" }] });
  const { items } = await practice.api.tasks.list.query({});
  expect(items.map(({ title }) => title)).toContainEqual(
    expect.stringMatching(/^A message did not leave: .* asked not to be reached by email/),
  );
});
