// Who was once shown the address of a link, or sent it by their own mailbox, reads by it no more than they might then.
import { newId } from "@app/server/core/ids";
import { FormLinkModel } from "@app/server/features/submissions/form-links.model";
import type { Permission } from "@app/shared/access";
import type { FormContent } from "@app/shared/form-content";
import { beforeEach, expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { aFormContent, aFormPage, aShortText } from "../support/server/forms.ts";
import { forAllTests, forEachTest, forgetAttempts } from "../support/server/lifetimes.ts";
import { aPractice, aStaffUser, aVisitor, type TestPerson } from "../support/server/people.ts";
import { aFormLink, answered, aPublishedForm, save } from "../support/server/submissions.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
beforeEach(forgetAttempts);

const contentOf = (...more: ReturnType<typeof aShortText>[]) =>
  aFormContent([aFormPage("first", [aShortText("town"), ...more])]);
const WIDER = contentOf(aShortText("harm", { sensitivity: "screening" }));
const RIGHTS = ["clients.read", "clients.write", "mail.send", "mail.read"] as const satisfies Permission[];

/** A link that nobody was shown yet, as it stands until somebody asks for its address. */
async function aLink() {
  const form = await aPublishedForm(practice, contentOf());
  const link = await aFormLink(practice, { formId: form.id });
  const clerk = await aStaffUser(app, practice, { permissions: [...RIGHTS] });
  const publish = async (content: FormContent) => {
    const { version, name } = await practice.api.forms.get.query({ id: form.id });
    const saved = await practice.api.forms.save.mutate({ id: form.id, version, name, content });
    return practice.api.forms.publish.mutate({ id: form.id, version: saved.version, changeId: newId() });
  };
  return { link, clerk, publish };
}

const asked = async ({ place }: Awaited<ReturnType<typeof aFormLink>>) => {
  const { content, number } = await aVisitor(app).api.submissions.filling.open.mutate(place);
  return { number, ids: content.pages.flatMap(({ fields }) => fields.map(({ id }) => id)) };
};
const show =
  (id: string) =>
  ({ api }: Pick<TestPerson, "api">) =>
    api.submissions.openLink.query({ id });
const send =
  (id: string) =>
  ({ api }: Pick<TestPerson, "api">) =>
    api.submissions.sendLink.mutate({ id, words: "", changeId: newId() });

test.each([
  ["was shown its address", show],
  ["sent it by their own mailbox", send],
])(
  "a link: when somebody %s, and the form then asks what they may not read, it asks as before",
  async (_what, hand) => {
    const { link, clerk, publish } = await aLink();
    await hand(link.id)(clerk);
    await publish(WIDER);
    expect(await asked(link)).toEqual({ number: 1, ids: ["town"] });
    const changes = { town: "Hull", harm: "CANARY" };
    expect(await refusal(save(aVisitor(app), link.place, changes))).toMatchObject({ code: "" });
    const { answers } = await aVisitor(app).api.submissions.filling.open.mutate(link.place);
    expect(answers).toEqual({ town: "Hull" });
    // What may be read by it is theirs to hand on still.
    expect((await show(link.id)(clerk)).address).toBe(link.address);
  },
);

test("a link: when somebody was shown its address, and the form then asks more that all may read, it asks that too", async () => {
  const { link, clerk, publish } = await aLink();
  await show(link.id)(clerk);
  await publish(contentOf(aShortText("street")));
  expect(await asked(link)).toEqual({ number: 2, ids: ["town", "street"] });
});

test("a link: when nobody but the owner was shown its address, it asks all that the form asks by now, and is shown to no other", async () => {
  const { link, clerk, publish } = await aLink();
  await show(link.id)(practice);
  await publish(WIDER);
  expect(await refusal(show(link.id)(clerk))).toMatchObject({ code: "FORBIDDEN" });
  expect(await asked(link)).toEqual({ number: 2, ids: ["town", "harm"] });
  const began = { number: 2, revision: 0, changes: answered({ harm: "CANARY" }), pageId: "first" };
  await aVisitor(app).api.submissions.filling.save.mutate({ ...link.place, ...began });
  expect(await refusal(show(link.id)(clerk))).toMatchObject({ code: "FORBIDDEN" });
});

test("a link: when two were shown its address one after the other, it asks no more than the first of them may read", async () => {
  const { link, clerk, publish } = await aLink();
  await show(link.id)(clerk);
  await publish(contentOf(aShortText("street")));
  const reader = await aStaffUser(app, practice, { permissions: [...RIGHTS, "screening.read"] });
  await show(link.id)(reader);
  await publish(WIDER);
  expect(await asked(link)).toEqual({ number: 1, ids: ["town"] });
  expect(await FormLinkModel.findOne({ ownerId: practice.ownerId, _id: link.id }).lean()).toMatchObject({
    shownNumber: 1,
  });
});
