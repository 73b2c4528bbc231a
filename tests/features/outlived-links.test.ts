// The address of a link to a form ends with the right of whoever had it; its client goes on by another one.
import { newId } from "@app/server/core/ids";
import { MINUTE_MS } from "@app/server/core/clock";
import { stopJobs } from "@app/server/core/jobs";
import { createLogger } from "@app/server/core/logger";
import { deliverCaseMail } from "@app/server/features/compose/delivery";
import { FormLinkModel, tokenOf } from "@app/server/features/submissions/form-links.model";
import { DEFAULT_SAFE_CONTACT } from "@app/shared/clients";
import type { Permission } from "@app/shared/access";
import PostalMime from "postal-mime";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { moveTime, refusal } from "../support/access/refusal.ts";
import { aSendingPractice } from "../support/mail/sending-practice.ts";
import { aFormContent, aFormPage, aShortText } from "../support/server/forms.ts";
import { forgetAttempts } from "../support/server/lifetimes.ts";
import { aStaffUser, aVisitor, clientFields, setPermissions, type TestPerson } from "../support/server/people.ts";
import { aFormLink, aPublishedForm, save, submit } from "../support/server/submissions.ts";

const log = createLogger("silent");
const { smtp, app, practice } = aSendingPractice();
beforeAll(async () => {
  // Nobody else delivers here.
  await stopJobs();
});
beforeEach(forgetAttempts);

const RIGHTS = ["clients.read", "clients.write", "mail.send", "screening.read"] as const satisfies Permission[];
const GONE = { code: "NOT_FOUND" };

/** A link of which a colleague was shown the address, half answered. */
async function aShownLink() {
  const harm = aShortText("harm", { sensitivity: "screening" });
  const content = aFormContent([aFormPage("first", [aShortText("town"), harm])]);
  const form = await aPublishedForm(practice, content);
  const link = await aFormLink(practice, { formId: form.id });
  const reader = await aStaffUser(app, practice, { permissions: [...RIGHTS] });
  await reader.api.submissions.openLink.query({ id: link.id });
  expect(await refusal(save(aVisitor(app), link.place, { town: "Hull" }))).toMatchObject({ code: "" });
  return { link, reader };
}
const open = (place: { formId: string; userId: string }) => aVisitor(app).api.submissions.filling.open.mutate(place);

/** Where the link leads now. */
async function placeNow({ id, place }: Awaited<ReturnType<typeof aFormLink>>) {
  const doc = await FormLinkModel.findOne({ ownerId: practice.ownerId, _id: id }).lean();
  if (!doc) throw new Error("the link is missing");
  return { formId: place.formId, userId: tokenOf(doc) };
}
async function mailsTo(clientId: string) {
  moveTime(MINUTE_MS);
  await deliverCaseMail(log);
  const { email } = await practice.api.clients.get.query({ id: clientId });
  const mails = smtp.received.filter(({ to }) => to.includes(email));
  return Promise.all(mails.map(async ({ source }) => (await PostalMime.parse(source)).text ?? ""));
}

const suspend = async ({ email }: TestPerson) => {
  const { items } = await practice.api.staff.list.query();
  await practice.api.staff.suspend.mutate({ id: items.find((one) => one.email === email)?.id ?? "" });
};

const ENDS: Record<string, (reader: TestPerson) => Promise<unknown>> = {
  "may not read screenings any more": (reader) =>
    setPermissions(practice, reader, ["clients.read", "clients.write", "mail.send"]),
  "is suspended": suspend,
  "sees only cases to which they are assigned": (reader) =>
    setPermissions(practice, reader, [...RIGHTS, "assigned_only"]),
};

test.each(Object.entries(ENDS))(
  "a link: when somebody who was shown its address %s, then that address ends, and its client goes on by a new one",
  async (_what, end) => {
    const { link, reader } = await aShownLink();
    expect(await open(link.place)).toMatchObject({ answers: { town: "Hull" } });
    await end(reader);
    expect(await refusal(save(aVisitor(app), link.place, { harm: "CANARY" }))).toMatchObject(GONE);
    expect(await refusal(open(link.place))).toMatchObject(GONE);
    expect(await refusal(open(link.place))).toMatchObject(GONE);
    const fresh = await placeNow(link);
    expect(fresh.userId).not.toBe(link.place.userId);
    expect(await mailsTo(link.clientId)).toEqual([expect.stringContaining(fresh.userId)]);
    expect(await open(fresh)).toMatchObject({ answers: { town: "Hull" } });
  },
);

test("a link: when its address ends and its client may not be mailed, then the owner is asked to hand them the new one", async () => {
  const { link, reader } = await aShownLink();
  const { version, email } = await practice.api.clients.get.query({ id: link.clientId });
  const safeContact = { ...DEFAULT_SAFE_CONTACT, mayEmail: false };
  await practice.api.clients.update.mutate({
    id: link.clientId,
    version,
    client: clientFields({ email, safeContact }),
  });
  await suspend(reader);
  expect(await refusal(open(link.place))).toMatchObject(GONE);
  expect(await mailsTo(link.clientId)).toEqual([]);
  const { items } = await practice.api.tasks.list.query({ clientId: link.clientId });
  expect(items).toMatchObject([{ title: expect.stringMatching(/^Give .* the form/), assigneeId: practice.ownerId }]);
});

test("a link: when another colleague loses their rights, then its address leads on", async () => {
  const { link } = await aShownLink();
  await suspend(await aStaffUser(app, practice, { permissions: [...RIGHTS] }));
  expect(await open(link.place)).toMatchObject({ answers: { town: "Hull" } });
});

test("a link: when nobody noted to whom its address was shown, then it ends once anybody of the practice may not have it", async () => {
  const { link } = await aShownLink();
  await FormLinkModel.updateOne({ ownerId: practice.ownerId, _id: link.id }, { $unset: { shownTo: "" } });
  await suspend(await aStaffUser(app, practice, { permissions: [...RIGHTS] }));
  expect(await refusal(open(link.place))).toMatchObject(GONE);
  const fresh = await placeNow(link);
  expect(await mailsTo(link.clientId)).toEqual([expect.stringContaining(fresh.userId)]);
  expect(await open(fresh)).toMatchObject({ answers: { town: "Hull" } });
});

const send = async (id: string) => practice.api.submissions.sendLink.mutate({ id, words: "", changeId: newId() });
const states = async (clientId: string) => {
  const { items } = await practice.api.outbox.list.query({ page: 1, clientId });
  return items.map(({ state, reason }) => `${state} ${reason}`.trim());
};

test("a link: when it is taken back before its mail leaves, then the mail does not leave", async () => {
  const { link } = await aShownLink();
  await send(link.id);
  await practice.api.submissions.revokeLink.mutate({ id: link.id });
  expect(await mailsTo(link.clientId)).toEqual([]);
  expect(await states(link.clientId)).toEqual([
    "failed The link was taken back before this left. Nobody was sent it by this mail.",
  ]);
});

test("a link: when it is answered before its mail leaves, then nobody is asked again", async () => {
  const { link } = await aShownLink();
  await send(link.id);
  await submit(aVisitor(app), link.place, { town: "Hull" });
  expect(await mailsTo(link.clientId)).toEqual([]);
  expect(await states(link.clientId)).toEqual(["superseded The questions were answered before this left."]);
});

test("a link: when its address ends before its mail leaves, then the new one alone leaves", async () => {
  const { link, reader } = await aShownLink();
  await send(link.id);
  await suspend(reader);
  expect(await refusal(open(link.place))).toMatchObject(GONE);
  const { userId } = await placeNow(link);
  expect(await mailsTo(link.clientId)).toEqual([expect.stringContaining(userId)]);
});
