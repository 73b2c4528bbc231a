// What the invented people of the demonstration answer is what its forms take.
import { contentOf, FORM_TEMPLATES } from "@app/shared/form-templates/form-templates";
import { checkAnswers } from "@app/shared/form-validator";
import { expect, test } from "vitest";
import { firstHalf, givenAnswers, inOnesOwnName } from "../../scripts/demo-given-answers.ts";

const who = {
  firstName: "Ottilie",
  lastName: "Marsh",
  email: "ottilie@example.org",
  dateOfBirth: "1984-02-29",
} as const;

test.each(FORM_TEMPLATES)("the demonstration: form $id, whoever answers it, takes all that they say", (template) => {
  const content = contentOf(template, "GBP");
  for (let index = 0; index < 40; index += 1) {
    const answers = givenAnswers(content, { ...who, index });
    expect(checkAnswers(content, answers)).toEqual({ answers, problems: [] });
    expect(Object.keys(firstHalf(content, answers).answers).length).toBeGreaterThan(0);
  }
});

test("the demonstration: what another says of themselves, when somebody says the same, is in their own name", () => {
  const template = FORM_TEMPLATES.find(({ kind }) => kind === "intake");
  if (!template) throw new Error("there is no intake");
  const content = contentOf(template, "GBP");
  const said = givenAnswers(content, { ...who, index: 3 });
  const own = inOnesOwnName(content, said, { ...who, firstName: "Piers", email: "piers@example.org", index: 3 });
  expect(JSON.stringify(own)).not.toMatch(/ottilie/i);
  expect(JSON.stringify(own)).toMatch(/piers@example\.org/);
});
