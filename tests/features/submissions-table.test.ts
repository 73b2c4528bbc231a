import { expect, test } from "vitest";
import { aFormContent, aFormPage, aShortText } from "../support/server/forms.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { aPractice, aStaffUser } from "../support/server/people.ts";
import { aFormLink, aPublishedForm, aSubmission } from "../support/server/submissions.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));

test("submissions.list: of one form, each row says the first answers, the name and how to reach them before all others, as far as they may be read", async () => {
  const { maxLength: _none, ...asked } = aShortText("who");
  const content = aFormContent([
    aFormPage("one", [
      aShortText("town"),
      aShortText("private", { sensitivity: "screening" }),
      { ...asked, id: "mail", label: "Email", type: "email" },
      { ...asked, label: "Your name", type: "name" },
      aShortText("more"),
    ]),
  ]);
  const form = await aPublishedForm(practice, content);
  const sent = async (first: string) => {
    const link = await aFormLink(practice, { formId: form.id });
    const answers = { who: { first, last: "File" }, mail: "una@example.org", town: "Hull", private: "CANARY" };
    return aSubmission(practice.ownerId, { link: link.id, answers });
  };
  const ids = [await sent("Una"), await sent("Ida")];
  const { items, columns } = await practice.api.submissions.list.query({ formId: form.id });
  expect(columns.map(({ label }) => label)).toEqual(["Your name", "Email", "Question town", "Question private"]);
  expect(items.map(({ cells }) => cells)).toEqual([
    ["Ida File", "una@example.org", "Hull", "CANARY"],
    ["Una File", "una@example.org", "Hull", "CANARY"],
  ]);
  const oldest = await practice.api.submissions.list.query({ formId: form.id, isOldestFirst: true });
  expect(oldest.items.map(({ id }) => id)).toEqual(ids);
  const plain = await aStaffUser(app, practice, { permissions: ["clients.read"] });
  const seen = await plain.api.submissions.list.query({ formId: form.id });
  expect(seen.items[0]?.cells).toEqual(["Ida File", "una@example.org", "Hull", ""]);
  const ofAll = await practice.api.submissions.list.query({});
  expect([ofAll.columns, ofAll.items[0]?.cells]).toEqual([[], []]);
});
