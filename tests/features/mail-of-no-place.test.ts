// Who reads, stops and counts a mail that belongs to no case and no client.
import { newId } from "@app/server/core/ids";
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import type { Permission } from "@app/shared/access";
import { beforeEach, expect, test } from "vitest";
import { anEnquiry } from "../support/access/leads-access.ts";
import { refusal } from "../support/access/refusal.ts";
import { bookAs, makeLink, SAM } from "../support/server/booked.ts";
import { forAllTests, forEachTest, forgetAttempts } from "../support/server/lifetimes.ts";
import { aPractice, aStaffUser, aVisitor } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
beforeEach(() => forgetAttempts());

const MAILING = ["clients.read", "mail.read", "mail.send"] as const satisfies Permission[];

async function writtenToLead(): Promise<string> {
  const { id } = await practice.api.leads.create.mutate({ id: newId(), channel: "phone", lead: anEnquiry() });
  await practice.api.leads.write.mutate({ id, changeId: newId(), subject: "CNSUBJECT", text: "CNTEXT" });
  const doc = await OutboxModel.findOne({ ownerId: practice.ownerId, clientId: null }).lean();
  return doc?._id ?? "";
}

async function toldVisitor(mediatorId: string): Promise<string> {
  const link = await makeLink(practice, { mediatorIds: [mediatorId] });
  await bookAs(aVisitor(app).api, link.publicId, {});
  const doc = await OutboxModel.findOne({ ownerId: practice.ownerId, purpose: "invitation" }).lean();
  return doc?._id ?? "";
}

const colleague = (permissions: Permission[]) => aStaffUser(app, practice, { role: 2, permissions });
const stateOf = async (id: string) => (await OutboxModel.findOne({ ownerId: practice.ownerId, _id: id }).lean())?.state;
const MISSING = { code: "NOT_FOUND" };

test.each([
  ["with mail", [...MAILING]],
  ["with mail and the calendar", [...MAILING, "calendar.manage" as const]],
  ["with assigned cases only", [...MAILING, "assigned_only" as const]],
])(
  "outbox: a letter to a lead, when a colleague %s has its id, is neither read, stopped nor counted",
  async (_who, permissions) => {
    const { api } = await colleague(permissions);
    const before = (await api.dashboard.get.query()).unsentMails;
    const id = await writtenToLead();
    expect(await refusal(api.outbox.get.query({ id }))).toMatchObject(MISSING);
    expect(await refusal(api.outbox.cancel.mutate({ id }))).toMatchObject(MISSING);
    expect(await refusal(api.outbox.sendNow.mutate({ id }))).toMatchObject(MISSING);
    await OutboxModel.updateOne({ ownerId: practice.ownerId, _id: id }, { $set: { state: "failed" } });
    expect(await refusal(api.outbox.retry.mutate({ id, changeId: newId() }))).toMatchObject(MISSING);
    expect(await stateOf(id)).toBe("failed");
    expect((await api.dashboard.get.query()).unsentMails).toBe(before);
  },
);

test("outbox: a letter to a lead, when the owner looks, is read, counted and stopped", async () => {
  const before = (await practice.api.dashboard.get.query()).unsentMails ?? 0;
  const id = await writtenToLead();
  expect(await practice.api.outbox.get.query({ id })).toMatchObject({ subject: "CNSUBJECT", text: "CNTEXT" });
  expect((await practice.api.dashboard.get.query()).unsentMails).toBe(before + 1);
  await practice.api.outbox.cancel.mutate({ id });
  expect(await stateOf(id)).toBe("cancelled");
});

test.each([
  ["with mail", [...MAILING]],
  [
    "with assigned cases only who keeps the calendar",
    [...MAILING, "calendar.manage" as const, "assigned_only" as const],
  ],
])(
  "outbox: what a visitor is told of their booking, when a colleague %s looks, is hidden like how to reach them",
  async (_who, permissions) => {
    const { api } = await colleague(permissions);
    const before = (await api.dashboard.get.query()).unsentMails;
    const id = await toldVisitor(practice.ownerId);
    expect(await refusal(api.outbox.get.query({ id }))).toMatchObject(MISSING);
    expect(await refusal(api.outbox.cancel.mutate({ id }))).toMatchObject(MISSING);
    expect((await api.dashboard.get.query()).unsentMails).toBe(before);
  },
);

test("outbox: what a visitor is told of their booking, when whoever keeps the calendar looks, is theirs to read and to stop", async () => {
  const { api } = await colleague([...MAILING, "calendar.manage"]);
  const before = (await api.dashboard.get.query()).unsentMails ?? 0;
  const id = await toldVisitor(practice.ownerId);
  expect(await api.outbox.get.query({ id })).toMatchObject({ to: SAM.email });
  expect((await api.dashboard.get.query()).unsentMails).toBe(before + 1);
  await api.outbox.cancel.mutate({ id });
  expect(await stateOf(id)).toBe("cancelled");
});

test.each([[[]], [["assigned_only" as const]]])(
  "outbox: what a visitor is told of their booking, when whoever mediates it looks (%j), is theirs to read",
  async (more) => {
    const { api } = await colleague([...MAILING, ...more]);
    const { user } = await api.auth.status.query();
    const id = await toldVisitor(user?.userId ?? "");
    expect(await api.outbox.get.query({ id })).toMatchObject({ to: SAM.email });
    expect((await api.dashboard.get.query()).unsentMails).toBe(1);
  },
);
