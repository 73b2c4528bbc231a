import type { Answers } from "@app/shared/form-answers";
import { evaluateForm } from "@app/shared/form-evaluation";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { plainly } from "../support/forms/plain-evaluation.ts";
import { randomAnswers, randomForm } from "../support/forms/random-form.ts";
import { aFormContent, aFormPage, aGroup, aNumber, aShortText, aSum, aYesNo, when } from "../support/server/forms.ts";

const term = (fieldId: string, columnId: string | null = null) => ({ fieldId, columnId, sign: "plus" as const });

describe("evaluateForm", () => {
  test("of random forms and answers: it says what a plain reference says", () => {
    fc.assert(
      fc.property(randomForm, randomAnswers, (form, answers) => {
        const { path, visible, required, flags, answers: counted } = evaluateForm(form, answers);
        const expected = plainly(form, answers);
        expect({
          path,
          visible: [...visible],
          required: [...required],
          flags: flags.map(({ fieldId }) => fieldId),
        }).toEqual({
          path: expected.path,
          visible: expected.visible,
          required: expected.required,
          flags: expected.flags,
        });
        expect(counted).toEqual(expected.answers);
      }),
      { numRuns: 800 },
    );
  });

  test("an answer that was given before its question went away: it counts nowhere, and comes back with the question", () => {
    const form = aFormContent([
      aFormPage("first", [
        aYesNo("children"),
        aNumber("how_many", { visibleIf: when("children", "equals", "yes") }),
        aShortText("names", { visibleIf: when("how_many", "gt", 0) }),
      ]),
    ]);
    const given = { children: "no", how_many: 2, names: "Ida" };
    expect(evaluateForm(form, given)).toMatchObject({ answers: { children: "no" } });
    expect(evaluateForm(form, given).visible.has("names")).toBe(false);
    expect(evaluateForm(form, { ...given, children: "yes" }).answers).toEqual({ ...given, children: "yes" });
  });

  test("a jump over a page: what stands there is neither asked nor counted", () => {
    const pages = [
      aFormPage("first", [aYesNo("safe")], { jumps: [{ when: when("safe", "equals", "no"), to: "last" }] }),
      aFormPage("middle", [aNumber("income", { isRequired: true })]),
      aFormPage("last", [aSum("total", [term("income")])]),
    ];
    const evaluated = evaluateForm(aFormContent(pages), { safe: "no", income: 5 });
    expect(evaluated.path).toEqual(["first", "last"]);
    expect([...evaluated.required]).toEqual([]);
    expect(evaluated.answers).toEqual({ safe: "no", total: 0 });
  });

  test("a calculated value on a page that was jumped over: it is not stored, not flagged, and counts in nothing", () => {
    const low = { when: when("risk", "lt", 3), text: "Low risk" };
    const pages = [
      aFormPage("first", [aNumber("base"), aYesNo("safe")], {
        jumps: [{ when: when("safe", "equals", "yes"), to: "last" }],
      }),
      aFormPage("middle", [aNumber("worry"), aSum("risk", [term("worry"), term("base")], { flag: low })]),
      aFormPage("last", [aShortText("why", { visibleIf: when("risk", "lt", 3) }), aSum("all", [term("risk")])]),
    ];
    const form = aFormContent(pages);
    const skipped = evaluateForm(form, { base: 1, safe: "yes", worry: 1, why: "x" });
    expect(skipped).toMatchObject({ answers: { base: 1, safe: "yes", all: 0 }, flags: [] });
    expect(Object.keys(skipped.answers)).not.toContain("risk");
    expect(skipped.visible.has("why")).toBe(false);
    const asked = evaluateForm(form, { base: 1, safe: "no", worry: 1, why: "x" });
    expect(asked.answers).toMatchObject({ risk: 2, all: 2, why: "x" });
    expect(asked.flags).toEqual([{ fieldId: "risk", text: "Low risk" }]);
  });

  test("rows that were added and left empty: they are no rows, in counts, flags and what is kept", () => {
    const group = aGroup("children", [
      aShortText("name", { flag: { when: when("name", "is_empty"), text: "No name" } }),
      aNumber("age"),
    ]);
    const form = aFormContent([
      aFormPage("first", [group, aShortText("school", { visibleIf: when("children", "gte", 1) })]),
    ]);
    const empty = evaluateForm(form, { children: [{}, { name: "  " }], school: "x" });
    expect(empty).toMatchObject({ answers: {}, flags: [] });
    expect(empty.visible.has("school")).toBe(false);
    expect(empty.visible.has("children.1.name")).toBe(true);
    expect(evaluateForm(form, { children: [{}, { name: "Ida" }], school: "x" }).answers).toEqual({
      children: [{ name: "Ida" }],
      school: "x",
    });
  });

  test("money in rows: the columns are added up, and what binary fractions leave is rounded away", () => {
    const row = (amount: number): Answers => ({ amount });
    const form = aFormContent([
      aFormPage("first", [
        aGroup("debts", [aNumber("amount", { decimals: 1 })]),
        aSum("total", [term("debts", "amount")]),
      ]),
    ]);
    expect(evaluateForm(form, { debts: [row(0.1), row(0.2)] }).answers["total"]).toBe(0.3);
  });

  test("a flag inside a repeat group: the mediator is told once, in whichever row it holds", () => {
    const form = aFormContent([
      aFormPage("first", [
        aGroup("children", [aYesNo("worried", { flag: { when: when("worried", "equals", "yes"), text: "Worried" } })]),
      ]),
    ]);
    const rows = [{ worried: "no" }, { worried: "yes" }, { worried: "yes" }];
    expect(evaluateForm(form, { children: rows }).flags).toEqual([{ fieldId: "worried", text: "Worried" }]);
    expect(evaluateForm(form, { children: rows.slice(0, 1) }).flags).toEqual([]);
  });

  test("sums of sums forty deep, and in a circle: they end at once", () => {
    const sums = Array.from({ length: 39 }, (_, index) =>
      aSum(
        `s${index + 1}`,
        Array.from({ length: 40 }, () => ({ ...term(`s${index}`), sign: index % 2 ? "minus" : "plus" })),
      ),
    );
    const begin = Date.now();
    evaluateForm(aFormContent([aFormPage("first", [aNumber("s0"), ...sums])]), { s0: 0 });
    const circle = aFormContent([aFormPage("first", [aSum("one", [term("two")]), aSum("two", [term("one")])])]);
    expect(evaluateForm(circle, {}).answers).toEqual({ one: 0, two: 0 });
    expect(Date.now() - begin).toBeLessThan(1000);
  });
});
