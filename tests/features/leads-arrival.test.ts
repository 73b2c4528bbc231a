// What follows from an enquiry that came by a form or a booking.
import { createLogger } from "@app/server/core/logger";
import { captureLead } from "@app/server/features/leads/lead-capture.service";
import { settleLeads } from "@app/server/features/leads/lead-arrivals";
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import { contentOf } from "@app/server/features/outbox/outbox.service";
import { suppress } from "@app/server/features/suppressions/suppressions.service";
import { deliverCaseMail } from "@app/server/features/compose/delivery";
import type { CapturedLead, Enquiry } from "@app/shared/leads";
import { NO_ATTRIBUTION } from "@app/shared/leads";
import { DEFAULT_SAFE_CONTACT } from "@app/shared/clients";
import { beforeEach, expect, test } from "vitest";
import { anEnquiry } from "../support/access/leads-access.ts";
import { moveTime } from "../support/access/refusal.ts";
import { aClient, aPractice, aStaffUser } from "../support/server/people.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { startTestApp } from "../support/server/test-app.ts";

const HOUR_MS = 3_600_000;
const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
const log = createLogger("silent");
let count = 0;
let address = "";
beforeEach(() => {
  address = `winifred${++count}@example.org`;
});

async function arrive(lead: Partial<Enquiry> = {}, channel: CapturedLead["channel"] = "form") {
  const enquiry = anEnquiry({ email: address, ...lead });
  const attribution = { ...NO_ATTRIBUTION, utmSource: "search", utmCampaign: "Autumn", referrerHost: "example.com" };
  const { id } = await captureLead(practice.ownerId, {
    channel,
    lead: enquiry,
    attribution,
    consent: "You may write",
    flags: [],
    answers: null,
  });
  await Promise.all([settleLeads(log), settleLeads(log)]);
  return id;
}
const mails = async () => (await OutboxModel.find({ ownerId: practice.ownerId }).lean()).map(contentOf);
const tasks = async () => (await practice.api.tasks.list.query({})).items;

test("an enquiry by a form, when it has arrived, is looked into once, keeps where it came from, and is the owner's task until it is answered", async () => {
  await practice.api.clients.create.mutate(aClient({ firstName: "Gareth", lastName: "Holloway" }));
  const staff = await aStaffUser(app, practice, { role: 2 });
  const id = await arrive();
  const lead = await practice.api.leads.get.query({ id });
  expect(lead).toMatchObject({
    conflictState: "to_look_at",
    campaign: "Autumn",
    consent: "You may write",
    attribution: { utmSource: "search", referrerHost: "example.com" },
  });
  expect(await tasks()).toMatchObject([{ title: "Answer the enquiry of Winifred Dace" }]);
  expect((await staff.api.tasks.list.query({})).items).toEqual([]);
  expect(await mails()).toEqual([]);
  await practice.api.leads.noteCall.mutate({ id, version: lead.version });
  expect(await tasks()).toEqual([]);
});

test("leads.erase: a lead, when it is erased, takes its task and the answer to it along", async () => {
  await practice.api.leads.setSettings.mutate({ isReplyOn: true });
  const id = await arrive();
  expect(await mails()).toHaveLength(1);
  await practice.api.leads.erase.mutate({ id });
  expect([await mails(), await tasks()]).toEqual([[], []]);
  expect((await practice.api.tasks.list.query({ isOpen: false })).items).toEqual([]);
});

test("the automatic answer, when the practice switched it on, goes out in its words, neutral, and once an hour to an address", async () => {
  await practice.api.leads.setSettings.mutate({ isReplyOn: true });
  await arrive();
  await arrive({ lastName: "Again", email: address.toUpperCase() });
  const [mail, ...others] = await mails();
  expect(others).toEqual([]);
  expect(mail).toMatchObject({ to: address, subject: "We have your message" });
  expect(mail?.text).toContain("Dear Winifred,");
  expect(JSON.stringify(mail)).not.toMatch(/mediat|\{\{/i);
  const { items } = await practice.api.mailTemplates.list.query();
  expect(items.filter(({ starterKey }) => starterKey === "lead-reply")).toHaveLength(1);
  moveTime(HOUR_MS + 1000);
  await arrive();
  expect(await mails()).toHaveLength(2);
});

test.each([
  [{ firstName: "http evil.example", lastName: "Dace" }],
  [{ firstName: "Winifred", lastName: "Click here www.evil.example" }],
  [{ firstName: "Winifred", lastName: "evil.co" }],
])(
  "the automatic answer, when somebody calls themselves %j, leads nowhere and calls them by no name",
  async (names) => {
    await practice.api.leads.setSettings.mutate({ isReplyOn: true });
    await arrive(names);
    const [mail] = await mails();
    expect(mail).toMatchObject({ to: address, toName: "" });
    expect(mail?.text).toContain("Hello,");
    expect(JSON.stringify(mail)).not.toMatch(/evil|click/i);
  },
);

test.each([
  ["it was entered for a booking", {}, "booking"],
  ["they asked to be phoned only", { reachBy: "phone" }, "form"],
  ["they said something of their safety", { reachNote: "He reads my mail" }, "form"],
  ["they gave no address", { email: "" }, "form"],
] as const)("the automatic answer, when %s, is not sent", async (_why, lead, channel) => {
  await practice.api.leads.setSettings.mutate({ isReplyOn: true });
  await arrive(lead, channel);
  expect(await mails()).toEqual([]);
});

test("the automatic answer, when the address gets no mail of this practice, is not sent, nor to a client who may not be mailed", async () => {
  await practice.api.leads.setSettings.mutate({ isReplyOn: true });
  await suppress(practice.ownerId, address, { reason: "unsubscribed" });
  await arrive();
  expect(await mails()).toEqual([]);
  const email = `client.${address}`;
  await practice.api.clients.create.mutate(
    aClient({ email, safeContact: { ...DEFAULT_SAFE_CONTACT, mayEmail: false } }),
  );
  await arrive({ email });
  await deliverCaseMail(log);
  const docs = await OutboxModel.find({ ownerId: practice.ownerId }).lean();
  expect(docs.filter(({ state }) => state === "sent")).toEqual([]);
});
