import { formProblems } from "@app/shared/form-checks";
import { formContentSchema } from "@app/shared/form-content";
import { evaluateForm } from "@app/shared/form-evaluation";
import { isAsked } from "@app/shared/form-fields";
import { CLIENT_TARGETS } from "@app/shared/form-targets";
import { blankContent, contentOf, FORM_TEMPLATES } from "@app/shared/form-templates/form-templates";
import { checkAnswers } from "@app/shared/form-validator";
import { describe, expect, test } from "vitest";

const find = (id: string) => {
  const template = FORM_TEMPLATES.find((one) => one.id === id);
  if (!template) throw new Error(`no template ${id}`);
  return contentOf(template, "GBP");
};
const fieldsOf = (id: string) => find(id).pages.flatMap(({ fields }) => fields);

describe("templates of forms", () => {
  test.each(FORM_TEMPLATES)("$name: it can be stored and published as it stands", (template) => {
    const content = contentOf(template, "GBP");
    expect(formContentSchema.parse(content)).toEqual(content);
    expect(formProblems(content, template.kind)).toEqual([]);
  });

  test("safety questions: only those who may read screenings read an answer, and nobody is asked without a way to say that they are not sure", () => {
    const asked = fieldsOf("safety_screening").filter(isAsked);
    expect(asked.filter(({ sensitivity }) => sensitivity !== "screening")).toEqual([]);
    expect(asked.filter((field) => field.type === "yes_no" && !field.hasUnsure)).toEqual([]);
  });

  test("safety questions: whoever cannot answer here and now is asked nothing of what hurt them, and the mediator is told", () => {
    const { path, flags } = evaluateForm(find("safety_screening"), { safe_now: "no" });
    expect(path).toEqual(["now", "stop_here"]);
    expect(flags.map(({ fieldId }) => fieldId)).toEqual(["safe_now"]);
    expect(evaluateForm(find("safety_screening"), { safe_now: "yes" }).path).not.toContain("stop_here");
  });

  test("safety questions: yes and not sure are both told, no is not", () => {
    const told = (fear: string) => evaluateForm(find("safety_screening"), { safe_now: "yes", fear }).flags;
    expect(told("yes").map(({ text }) => text)).toEqual(["Fear"]);
    expect(told("unsure")).toEqual(told("yes"));
    expect(told("no")).toEqual([]);
  });

  test.each(["miam_intake", "workplace_intake"])(
    "%s: every rule of safe contact is asked, and saved to the client",
    (id) => {
      const saved = fieldsOf(id).flatMap((field) => ("mapTo" in field && field.mapTo ? [field.mapTo] : []));
      const wanted = CLIENT_TARGETS.filter((target) => /may|safeTimes|codeWord/.test(target));
      expect(saved).toEqual(expect.arrayContaining(wanted));
    },
  );

  test("financial disclosure: what was entered is added up in pence", () => {
    const { answers } = evaluateForm(find("financial_disclosure"), {
      incomes: [{ income_amount: 210_050 }, { income_amount: 20_000 }],
      food: 40_000,
      properties: [{ property_value: 25_000_000, property_mortgage: 10_000_000 }],
      assets: [{ asset_value: 500_000 }],
      debts: [{ debt_amount: 250_000 }],
    });
    expect(answers).toMatchObject({ income_total: 230_050, left_over: 190_050, total_capital: 15_250_000 });
  });

  test("financial disclosure: somebody without pensions is not asked for any", () => {
    const { problems } = checkAnswers(find("financial_disclosure"), { has_pensions: "no" });
    expect(problems.map(({ path }) => path[0])).not.toContain("pensions");
  });

  test("a blank form: it can be stored, and says what is missing before it is published", () => {
    const blank = blankContent("New form", "GBP");
    expect(formContentSchema.parse(blank)).toEqual(blank);
    expect(formProblems(blank, "questionnaire").length).toBeGreaterThan(0);
  });
});
