// The address of what is somebody's own opens it for whoever reads it: nobody of the practice reads it in a mail.
import { newId } from "@app/server/core/ids";
import { forOthers, HOLDS_PERSONAL_LINK, withoutPersonalLinks } from "@app/server/core/personal-links";
import type { Permission } from "@app/shared/access";
import type { Field } from "@app/shared/form-fields";
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import { mailsOf, bookAs, makeLink } from "../support/server/booked.ts";
import { beforeEach, expect, test } from "vitest";
import { createLogger } from "@app/server/core/logger";
import { deliverCaseMail } from "@app/server/features/compose/delivery";
import { moveTime, refusal } from "../support/access/refusal.ts";
import { forAllTests, forEachTest, forgetAttempts } from "../support/server/lifetimes.ts";
import {
  aCase,
  aCaseInput,
  aClient,
  aPractice,
  aStaffUser,
  aVisitor,
  clientFields,
  setPermissions,
  type TestPerson,
} from "../support/server/people.ts";
import { aFormContent, aFormPage, aShortText } from "../support/server/forms.ts";
import { aFormLink, aPublishedForm, save } from "../support/server/submissions.ts";
import { changeTeam } from "../support/visibility/case-team.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
beforeEach(() => forgetAttempts());

test.each([
  ["https://a.example.org/form/abc_D-1/x_Y-2?ref=1", "[their own link]?ref=1"],
  [
    '<a href="http://localhost:3000/schedule-meeting/Zz9-_">http://localhost:3000/schedule-meeting/Zz9-_</a>',
    '<a href="[their own link]">[their own link]</a>',
  ],
  [
    "see https://a.example.org/forms/help and https://a.example.org/",
    "see https://a.example.org/forms/help and https://a.example.org/",
  ],
  [
    "http://a.example.org/form/AAAAAAAAAAAAAAAAAAAAAA/BBBB\n> BBBBBBBBBBBBBBBBBB\n> Kind regards",
    "[their own link]\n> Kind regards",
  ],
  ["a.example.org/form/AAAAAAAAAAAAAAAAAAAAAA/BBBBBBBBBBBBBBBBBBBBBB here", "[their own link] here"],
  [
    "https://eur01.safelinks.protection.outlook.com/?url=http%3A%2F%2Fa%2Fform%2FAAAA%2FBBBBBBBBBBBBBBBBBBBBBB&data=1",
    "[their own link]&data=1",
  ],
  ["a/schedule-meeting/AAAA<wbr>AAAAAAAAAAAAAAAAAA<br>Hello", "[their own link]<br>Hello"],
])("withoutPersonalLinks: of %j", (text, shown) => {
  expect(withoutPersonalLinks(text)).toBe(shown);
});

test("forOthers: of an address in base64, which cannot be cut out, is not the text", () => {
  const inner = Buffer.from(`Please open https://a.example.org/form/${"A".repeat(22)}/${"B".repeat(22)} soon`);
  const text = `See ${inner.toString("base64")} there`;
  expect(forOthers(text, []).shown).toBe(HOLDS_PERSONAL_LINK);
});

test.each(["http://", "/form/A\n", "/form/", "%25", "<a", "=\n"])(
  "withoutPersonalLinks: of a megabyte of %j, takes linear time",
  (piece) => {
    const timed = (length: number) => {
      const text = piece.repeat(Math.ceil(length / piece.length));
      const start = performance.now();
      withoutPersonalLinks(text);
      return performance.now() - start;
    };
    timed(100_000);
    expect(timed(1_000_000)).toBeLessThan(20 * timed(250_000) + 200);
  },
);

test("outbox.list: a mail with the link of a form or an appointment, when anybody of the practice reads it, has none", async () => {
  const { theCase, p1 } = await aCase(practice);
  const form = await aPublishedForm(practice);
  const link = await aFormLink(practice, { formId: form.id, clientId: p1.clientId });
  await practice.api.submissions.sendLink.mutate({ id: link.id, changeId: newId(), words: "" });
  const booking = await makeLink(practice, { clientId: p1.clientId, caseId: theCase.id });
  const { manageId } = await bookAs(aVisitor(app).api, booking.publicId, { person: null });
  const written = (await mailsOf(practice.ownerId)).map(({ text }) => text).join();
  for (const secret of [link.place.userId, manageId]) expect(written).toContain(secret);
  const { items } = await practice.api.outbox.list.query({ clientId: p1.clientId });
  expect(items).toHaveLength(2);
  const preview = await practice.api.partyView.preview.query({ caseId: theCase.id, partyId: p1.partyId });
  const read = [items, preview, ...(await Promise.all(items.map(({ id }) => practice.api.outbox.get.query({ id }))))];
  for (const secret of [link.place.userId, manageId]) expect(JSON.stringify(read)).not.toContain(secret);
  expect(JSON.stringify(items)).toContain("[their own link]");
});

test("submissions.openLink: of a form with questions that only some may read, when others ask, is refused", async () => {
  const { p1 } = await aCase(practice);
  const form = await aPublishedForm(practice);
  const link = await aFormLink(practice, { formId: form.id, clientId: p1.clientId });
  const person = await aStaffUser(app, practice, { permissions: ["clients.read", "clients.write"] });
  expect(await refusal(person.api.submissions.openLink.query({ id: link.id }))).toMatchObject({ code: "FORBIDDEN" });
});

test("submissions.sendLink, remind: by whoever may not have the address, it leaves by no mailbox of theirs", async () => {
  const { theCase, p1 } = await aCase(practice);
  const form = await aPublishedForm(practice);
  const link = await aFormLink(practice, { formId: form.id, clientId: p1.clientId, caseId: theCase.id });
  const rights = ["clients.read", "clients.write", "mail.send", "mail.read"] as const;
  const person = await aStaffUser(app, practice, { permissions: [...rights] });
  const { user } = await person.api.auth.status.query();
  const sent = { id: link.id, words: "" };
  await person.api.submissions.sendLink.mutate({ ...sent, changeId: newId() });
  await person.api.submissions.remind.mutate({ ...sent, changeId: newId() });
  await practice.api.submissions.remind.mutate({ ...sent, changeId: newId() });
  const senders = (await OutboxModel.find({ ownerId: practice.ownerId }).lean()).map(({ createdBy }) => createdBy);
  expect(senders).toEqual([practice.ownerId, practice.ownerId, practice.ownerId]);
  const all = await aPublishedForm(practice, aFormContent([aFormPage("first", [aShortText("town")])]));
  const open = await aFormLink(practice, { formId: all.id, clientId: p1.clientId, caseId: theCase.id });
  await person.api.submissions.sendLink.mutate({ id: open.id, words: "", changeId: newId() });
  expect(await OutboxModel.countDocuments({ ownerId: practice.ownerId, createdBy: user?.userId ?? "" })).toBe(1);
});

test.each([true, false])(
  "submissions.sendLink, remind: to an address that was entered since (had one before: %s), by whoever may not read it, then a colleague is asked",
  async (hadOne) => {
    const email = hadOne ? "before@client.example.org" : "";
    const { id, firstName, lastName } = await practice.api.clients.create.mutate(aClient({ email }));
    const form = await aPublishedForm(practice);
    const link = await aFormLink(practice, { formId: form.id, clientId: id });
    const person = await aStaffUser(app, practice, { permissions: ["clients.read", "clients.write", "mail.send"] });
    const enter = async ({ api }: Pick<TestPerson, "api">, address: string) => {
      const { version } = await practice.api.clients.get.query({ id });
      await api.clients.update.mutate({ id, version, client: clientFields({ firstName, lastName, email: address }) });
    };
    const send = (kind: "sendLink" | "remind", { api }: Pick<TestPerson, "api"> = person, linkId = link.id) =>
      api.submissions[kind].mutate({ id: linkId, words: "", changeId: newId() });
    const mails = () => OutboxModel.countDocuments({ ownerId: practice.ownerId });
    await enter(person, "own@clerk.example.org");
    await send("sendLink");
    await save(aVisitor(app), link.place, { safety: "Canaryharm" });
    await send("remind");
    const askForLink = () =>
      aVisitor(app).api.submissions.filling.mailLink.mutate({ ...link.place, email: null, changeId: newId() });
    expect((await refusal(askForLink())).message).toContain("cannot be sent by email");
    expect(await mails()).toBe(0);
    const { items } = await practice.api.tasks.list.query({});
    const asked = items.find(({ title }) => title.includes("Their email address was entered after the link"));
    expect(asked).toMatchObject({ assigneeId: practice.ownerId });
    await send("remind", practice);
    expect(await mails()).toBe(1);
    await enter(practice, "right@client.example.org");
    await send("remind");
    await askForLink();
    expect(await mails()).toBe(3);
    await enter(person, "righter@client.example.org");
    const anew = await aFormLink(practice, { formId: form.id, clientId: id });
    await send("sendLink", person, anew.id);
    expect(await mails()).toBe(4);
  },
);

test("submissions.sendLink: by whoever may not have the address, and may send no mail once it leaves, then it does not leave", async () => {
  const { p1 } = await aCase(practice);
  const form = await aPublishedForm(practice);
  const link = await aFormLink(practice, { formId: form.id, clientId: p1.clientId });
  const person = await aStaffUser(app, practice, { permissions: ["clients.read", "clients.write", "mail.send"] });
  await person.api.submissions.sendLink.mutate({ id: link.id, words: "", changeId: newId() });
  await setPermissions(practice, person, ["clients.read", "clients.write"]);
  moveTime(60_000);
  await deliverCaseMail(createLogger("silent"));
  const [mail] = await OutboxModel.find({ ownerId: practice.ownerId }).lean();
  expect(mail).toMatchObject({ createdBy: practice.ownerId, sentAt: null });
  expect(mail?.reason).toContain("Whoever wrote it may no longer send mail here");
});

test("submissions.sendLink: by whoever may have the address, and may not once it leaves, then it does not leave by their mailbox", async () => {
  const { p1 } = await aCase(practice);
  const asked = [aShortText("harm", { sensitivity: "screening" })];
  const form = await aPublishedForm(practice, aFormContent([aFormPage("first", asked)]));
  const link = await aFormLink(practice, { formId: form.id, clientId: p1.clientId });
  const permissions: Permission[] = ["clients.read", "clients.write", "mail.send", "screening.read"];
  const person = await aStaffUser(app, practice, { permissions });
  await person.api.submissions.sendLink.mutate({ id: link.id, words: "", changeId: newId() });
  await setPermissions(practice, person, ["clients.read", "clients.write", "mail.send"]);
  moveTime(60_000);
  await deliverCaseMail(createLogger("silent"));
  const [mail] = await OutboxModel.find({ ownerId: practice.ownerId }).lean();
  expect(mail?.createdBy).not.toBe(practice.ownerId);
  expect(mail?.sentAt).toBeNull();
  expect(mail?.reason).toContain("does not leave by their mailbox");
});

test.each(["screening", "mediator"] as const)(
  "submissions.openLink: of answers to a question for %s, once a newer version of the form asks it for everybody or no more, is refused",
  async (sensitivity) => {
    const { p1 } = await aCase(practice);
    const contentWith = (...fields: Field[]) => aFormContent([aFormPage("first", [aShortText("town"), ...fields])]);
    const form = await aPublishedForm(practice, contentWith(aShortText("harm", { sensitivity })));
    const link = await aFormLink(practice, { formId: form.id, clientId: p1.clientId });
    await save(aVisitor(app), link.place, { harm: "Canaryharm" });
    const person = await aStaffUser(app, practice, { permissions: ["clients.read", "clients.write", "forms.manage"] });
    for (const content of [contentWith(aShortText("harm")), contentWith()]) {
      const { id, name, version } = await person.api.forms.get.query({ id: form.id });
      const saved = await person.api.forms.save.mutate({ id, version, name, content });
      await person.api.forms.publish.mutate({ id, version: saved.version, changeId: newId() });
      expect(await refusal(person.api.submissions.openLink.query({ id: link.id }))).toMatchObject({
        code: "FORBIDDEN",
      });
    }
    expect(await practice.api.submissions.openLink.query({ id: link.id })).toMatchObject({ address: link.address });
  },
);

test("bookings.listLinks: the link of a case that somebody does not see, when they see its client by another, is not theirs", async () => {
  const { theCase, p1, second } = await aCase(practice);
  const person = await aStaffUser(app, practice, {
    permissions: ["clients.read", "clients.write", "calendar.manage", "assigned_only"],
  });
  const { user } = await person.api.auth.status.query();
  await changeTeam(practice, practice, theCase, { staffIds: [user?.userId ?? ""] });
  const hidden = await practice.api.casework.create.mutate(aCaseInput([p1.clientId, second.id]));
  const shown = await makeLink(practice, { clientId: p1.clientId, caseId: theCase.id });
  const { id } = await makeLink(practice, { clientId: p1.clientId, caseId: hidden.id });
  const { api } = person;
  expect((await api.bookings.listLinks.query({})).items.map((link) => link.id)).toEqual([shown.id]);
  for (const attempt of [
    api.bookings.getLink.query({ id }),
    api.bookings.setLinkArchived.mutate({ id, isArchived: true }),
  ])
    expect(await refusal(attempt)).toMatchObject({ code: "NOT_FOUND" });
});
