// What a practice makes of answers is its own: neither the page that asks nor the paper for whoever answered tells of it.
import type { Field } from "@app/shared/form-fields";
import { beforeEach, expect, test } from "vitest";
import { wordsOfPdf } from "../support/hostile/pdf-text.ts";
import { aFormContent, aFormPage, aShortText } from "../support/server/forms.ts";
import { forAllTests, forEachTest, forgetAttempts } from "../support/server/lifetimes.ts";
import { aCase, aPractice, aVisitor } from "../support/server/people.ts";
import { aFormLink, aPublishedForm, aSubmission } from "../support/server/submissions.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
beforeEach(forgetAttempts);

const { maxLength: _none, ...asked } = aShortText("x");
const choice = (id: string): Field => ({
  ...asked,
  id,
  type: "one_of",
  display: "buttons",
  hasOther: false,
  options: [
    { value: "never", label: "Never", score: 111 },
    { value: "often", label: "Often", score: 777 },
  ],
});
const sum = (id: string, fieldId: string, isShown = false): Field => ({
  type: "calculated",
  id,
  label: `SUM-${id}`,
  help: `HELP-${id}`,
  terms: [{ fieldId, columnId: null, sign: "plus" }],
  unit: "number",
  isShown,
  sensitivity: "screening",
  flag: null,
});
const decided: Field = {
  ...aShortText("more"),
  visibleIf: { joint: "and", of: [{ fieldId: "decides", operator: "gt", value: 500 }] },
};
const hidden: Field = {
  type: "hidden",
  id: "from",
  label: "HIDDENLABEL",
  parameter: "from",
  sensitivity: "practice",
  mapTo: null,
};
const content = () =>
  aFormContent([
    aFormPage("first", [
      aShortText("town"),
      choice("risk"),
      choice("steps"),
      choice("seen"),
      hidden,
      sum("kept", "risk"),
      sum("decides", "steps"),
      sum("shown", "seen", true),
      decided,
    ]),
  ]);

async function aLinkedForm() {
  const form = await aPublishedForm(practice, content());
  const { theCase, first } = await aCase(practice);
  const link = await aFormLink(practice, { formId: form.id, clientId: first.id, caseId: theCase.id });
  return { form, link };
}

test("submissions.filling.open: a sum that is not shown, when the form is opened, has no words, and no terms unless it decides what is asked", async () => {
  const { link } = await aLinkedForm();
  const opened = await aVisitor(app).api.submissions.filling.open.mutate(link.place);
  const fields = opened.content.pages.flatMap((page) => page.fields);
  const of = (id: string) => fields.find((field) => field.id === id);
  expect(of("kept")).toMatchObject({ label: "", help: "", terms: [] });
  expect(of("decides")).toMatchObject({ label: "", help: "", terms: [{ fieldId: "steps" }] });
  expect(of("shown")).toMatchObject({ label: "SUM-shown", terms: [{ fieldId: "seen" }] });
  const scores = (id: string) => /777/.test(JSON.stringify(of(id)));
  expect(["risk", "steps", "seen"].map(scores)).toEqual([false, true, true]);
  expect(JSON.stringify(opened)).not.toMatch(/HIDDENLABEL|SUM-kept|HELP-kept/);
});

test("GET /export/submissions/:id.pdf: the paper for whoever answered, when it is printed, has what was on their screen, under its title there", async () => {
  const { form, link } = await aLinkedForm();
  const answers = { town: "Hull", risk: "often", from: "HIDDENVAL", kept: 777, shown: 111 };
  const id = await aSubmission(practice.ownerId, { link: link.id, answers });
  const response = await fetch(`${app.url}/export/submissions/${id}.pdf`, {
    headers: { cookie: practice.cookies(), "sec-fetch-site": "same-origin" },
  });
  expect(response.status).toBe(200);
  const words = await wordsOfPdf(new Uint8Array(await response.arrayBuffer()));
  for (const said of ["hull", "often", "sum-shown", content().title.toLowerCase()]) expect(words).toContain(said);
  for (const kept of ["hiddenlabel", "hiddenval", "sum-kept", form.name.toLowerCase()])
    expect(words).not.toContain(kept);
});
