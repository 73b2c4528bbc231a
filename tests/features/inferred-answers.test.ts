// S70: an answer that lets another be inferred is read by nobody who may not read that other.
import { readersAmong } from "@app/shared/form-readers";
import type { Field } from "@app/shared/form-fields";
import type { FormContent } from "@app/shared/form-content";
import { evaluateForm } from "@app/shared/form-evaluation";
import type { Answers } from "@app/shared/form-answers";
import { expect, test } from "vitest";
import { wordsOfPdf } from "../support/hostile/pdf-text.ts";
import { aChoice, aFormContent, aFormPage, aGroup, aShortText, aSum, aYesNo, when } from "../support/server/forms.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { aCase, aPractice, aStaffUser, type TestPerson } from "../support/server/people.ts";
import { aFormLink, aPublishedForm, aSubmission } from "../support/server/submissions.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));

const SAFE = aYesNo("safe", { sensitivity: "screening" });
const HARM = aChoice("harm", ["often", "never"], {
  sensitivity: "screening",
  options: [
    { value: "often", label: "Often", score: 471 },
    { value: "never", label: "Never", score: 0 },
  ],
});
const unsafe = when("safe", "equals", "no");
const TOLD = aShortText("told");

const WAYS: Record<string, FormContent> = {
  "a sum": aFormContent([
    aFormPage("first", [HARM, aSum("told", [{ fieldId: "harm", columnId: null, sign: "plus" }])]),
  ]),
  "a sum of a sum": aFormContent([
    aFormPage("first", [
      HARM,
      aSum("one", [{ fieldId: "harm", columnId: null, sign: "plus" }], { isShown: false }),
      aSum("told", [{ fieldId: "one", columnId: null, sign: "plus" }]),
    ]),
  ]),
  "a question that follows": aFormContent([aFormPage("first", [SAFE, { ...TOLD, visibleIf: unsafe }])]),
  "a page that follows": aFormContent([aFormPage("first", [SAFE]), aFormPage("second", [TOLD], { visibleIf: unsafe })]),
  "a page that is jumped over": aFormContent([
    aFormPage("first", [SAFE], { jumps: [{ when: when("safe", "equals", "yes"), to: "third" }] }),
    aFormPage("second", [TOLD]),
    aFormPage("third", [aShortText("last")]),
  ]),
  "pages that are left out to the end": aFormContent([
    aFormPage("first", [SAFE], { jumps: [{ when: when("safe", "equals", "yes"), to: "end" }] }),
    aFormPage("second", [TOLD]),
  ]),
};
const ANSWERS = { safe: "no", harm: "often", told: "CANARY", last: "Bye" };

test.each(Object.entries(WAYS))(
  "S70: %s, which tells what a screening question was answered, is for those who read screenings",
  async (_way, content) => {
    const form = await aPublishedForm(practice, content);
    const { theCase, first } = await aCase(practice);
    const link = await aFormLink(practice, { formId: form.id, clientId: first.id, caseId: theCase.id });
    const id = await aSubmission(practice.ownerId, { link: link.id, answers: ANSWERS });
    const readBy = async (permissions: ("clients.read" | "screening.read")[]) => {
      const person = await aStaffUser(app, practice, { permissions: [...permissions, "data.export"] });
      const get = async (path: string) =>
        fetch(`${app.url}${path}`, { headers: { cookie: person.cookies(), "sec-fetch-site": "same-origin" } }).then(
          (answer) => answer.arrayBuffer(),
        );
      const { pages } = await person.api.submissions.get.query({ id });
      const asked = pages.flatMap(({ lines }) => lines.map(({ fieldId }) => fieldId));
      const pdf = await wordsOfPdf(new Uint8Array(await get(`/export/submissions/${id}.pdf`)));
      const table = new TextDecoder().decode(await get(`/export/form-answers.csv?formId=${form.id}`));
      expect(table).toContain("Priya");
      return { asked, words: `${pdf} ${table}`.toLowerCase() };
    };
    const plain = await readBy(["clients.read"]);
    expect(plain.asked).not.toContain("told");
    expect(plain.asked).not.toContain("one");
    expect(plain.words).not.toMatch(/canary|471/);
    expect((await readBy(["clients.read", "screening.read"])).asked).toContain("told");
  },
);

const isOften = when("harm", "equals", "often");
const TOWN = aShortText("town");
const YES_TOWN = { when: when("town", "equals", "Leeds"), to: "fourth" };

/** Each with what differs between two who answered the hidden question one way and the other. */
const DESIGNS: Record<string, { content: FormContent; never?: Answers }> = {
  "a flag": {
    content: aFormContent([aFormPage("first", [HARM, { ...TOWN, flag: { when: isOften, text: "FLAGX" } }])]),
  },
  "a flag of a sum": {
    content: aFormContent([
      aFormPage("first", [
        HARM,
        aSum("sum", [{ fieldId: "harm", columnId: null, sign: "plus" }], { sensitivity: "screening" }),
        { ...TOWN, flag: { when: when("sum", "gt", 0), text: "FLAGX" } },
      ]),
    ]),
  },
  "a flag in a list": {
    content: aFormContent([
      aFormPage("first", [
        HARM,
        TOWN,
        aGroup("children", [aShortText("name", { flag: { when: isOften, text: "FLAGX" } })]),
      ]),
    ]),
  },
  "the number of hidden questions": {
    content: aFormContent([
      aFormPage("first", [HARM, TOWN, aShortText("told", { visibleIf: isOften })]),
      aFormPage("second", [aShortText("more"), aShortText("last")], { visibleIf: isOften }),
    ]),
  },
  "a jump from a page that follows": {
    content: aFormContent([
      aFormPage("first", [HARM, TOWN]),
      aFormPage("second", [aShortText("more")], { visibleIf: isOften, jumps: [YES_TOWN] }),
      aFormPage("third", [TOLD]),
      aFormPage("fourth", [aShortText("last")]),
    ]),
  },
  "a jump from a page that is jumped over": {
    content: aFormContent([
      aFormPage("first", [HARM, TOWN], { jumps: [{ when: isOften, to: "third" }] }),
      aFormPage("second", [aShortText("more")], { jumps: [YES_TOWN] }),
      aFormPage("third", [TOLD]),
      aFormPage("fourth", [aShortText("last")]),
    ]),
  },
  "an answer that was needed": {
    content: aFormContent([aFormPage("first", [HARM, { ...TOLD, requiredIf: isOften }, TOWN])]),
    never: { told: "" },
  },
};

test.each(Object.entries(DESIGNS))(
  "S70: %s, when the practice looks at it, is the same whatever a screening question was answered",
  async (_design, { content, never }) => {
    const form = await aPublishedForm(practice, content);
    const { theCase, first, second } = await aCase(practice);
    const given = { town: "Leeds", told: "CANARY", more: "More", last: "Bye", children: [{ name: "Ida" }] };
    const sent = async (clientId: string, more: Answers) => {
      const link = await aFormLink(practice, { formId: form.id, clientId, caseId: theCase.id });
      const { answers } = evaluateForm(content, { ...given, ...more });
      return aSubmission(practice.ownerId, { link: link.id, answers });
    };
    const often = await sent(first.id, { harm: "often" });
    const other = await sent(second.id, { harm: "never", ...never });
    const shownTo = async (person: TestPerson, id: string) => {
      const { pages, flags, hiddenCount, proposals } = await person.api.submissions.get.query({ id });
      return { pages, flags, hiddenCount, proposals };
    };
    const plain = await aStaffUser(app, practice, { permissions: ["clients.read", "notes.private.read"] });
    const seen = await shownTo(plain, often);
    expect(seen).toEqual(await shownTo(plain, other));
    expect(JSON.stringify(seen)).toContain("Leeds");
    const screening = await aStaffUser(app, practice, { permissions: ["clients.read", "screening.read"] });
    const whole = await shownTo(screening, often);
    expect(whole).not.toEqual(await shownTo(screening, other));
    expect(whole.hiddenCount).toBe(0);
    if (JSON.stringify(content).includes("FLAGX")) expect(whole.flags).toEqual(["FLAGX"]);
  },
);

test("readersAmong: a question that others do not decide is for whom it says, and one that two kinds decide for who may read both", () => {
  const plain = aShortText("plain");
  const both: Field = {
    ...TOLD,
    visibleIf: { joint: "and", of: [...unsafe.of, ...when("town", "is_set").of] },
  };
  const town = aShortText("town", { sensitivity: "mediator" });
  const form = aFormContent([
    aFormPage("first", [plain, town, SAFE, both], { jumps: [{ when: unsafe, to: "third" }] }),
    aFormPage("second", []),
    aFormPage("third", [aShortText("last")]),
  ]);
  expect(readersAmong(form, plain)).toEqual(["practice"]);
  expect(readersAmong(form, aShortText("last"))).toEqual(["practice"]);
  expect([...readersAmong(form, both)].toSorted()).toEqual(["mediator", "practice", "screening"]);
});
