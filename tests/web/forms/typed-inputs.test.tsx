// Amounts and dates as people type them: what is understood is shown, and nothing is read in two ways.
import type { AnswerValue } from "@app/shared/form-answers";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, test } from "vitest";
import { Question } from "../../../web/src/features/questions/question.tsx";
import type { QuestionProps } from "../../../web/src/features/questions/question-props.ts";
import { ProblemList } from "../../../web/src/features/questions/problem-list.tsx";
import { aGroup, aShortText } from "../../support/server/forms.ts";

afterEach(cleanup);

const { maxLength: _most, ...asked } = aShortText("q", { label: "Asked" });
const NO_FILES = {
  upload: () => Promise.reject(new Error("none")),
  remove: () => Promise.resolve(),
  unkept: new Map(),
};

function open(field: QuestionProps["field"]): () => AnswerValue | null {
  let last: AnswerValue | null = null;
  function Asking() {
    const [answer, setAnswer] = useState<AnswerValue>();
    const onAnswer = (given: AnswerValue | null) => {
      last = given;
      setAnswer(given ?? undefined);
    };
    const files: QuestionProps["files"] = {
      ...NO_FILES,
      upload: () => ({ done: NO_FILES.upload(), cancel: () => undefined }),
    };
    return <Question {...{ field, answer, onAnswer, files }} id="q" currency="GBP" isRequired problems={{}} />;
  }
  render(<Asking />);
  return () => last;
}
const type = (label: string, text: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value: text } });

test.each([
  ["12,50", 1250, "£12.50"],
  ["1,250", 125_000, "£1,250.00"],
])("money: %s, when it is typed, is kept as %s and shown as %s", (typed, kept, shown) => {
  const answer = open({ ...asked, type: "money", min: null, max: null });
  type("Asked", typed);
  expect(answer()).toBe(kept);
  screen.getByText(shown);
});

test.each(["1,5", "1.234", "12,345,6"])(
  "money: %s, when it is typed, is kept as it stands to be asked about",
  (typed) => {
    const answer = open({ ...asked, type: "money", min: null, max: null });
    type("Asked", typed);
    expect(answer()).toBe(typed);
    expect(screen.queryByText(/£\d/)).toBeNull();
  },
);

test("a date: its month, when it is typed by name letter by letter, stays as it is typed and is kept as a number", () => {
  const answer = open({ ...asked, type: "date", earliest: null, latest: null });
  type("Day", "٧");
  type("Year", "1985");
  for (const typed of ["J", "Ju", "Jun", "June"]) {
    type("Month", typed);
    expect(screen.getByLabelText("Month")).toHaveProperty("value", typed.toLowerCase());
  }
  expect(answer()).toBe("1985-06-07");
});

test("a date: a whole one, when it is pasted into the day, fills all three boxes", () => {
  const answer = open({ ...asked, type: "date", earliest: null, latest: null });
  type("Day", "1/2/2027");
  expect(answer()).toBe("2027-02-01");
});

test("a long text: more than it takes, when it is pasted, stays whole and is counted in words", () => {
  const answer = open({ ...asked, type: "long_text", maxLength: 1000 });
  screen.getByText("Up to 1,000 characters");
  type("Asked", "x".repeat(1200));
  expect(answer()).toHaveLength(1200);
  screen.getByText("1,200 of 1,000 characters: shorten it by 200");
});

test("what has to be mended: of a repeat group, when it is listed, names the row and the question", () => {
  const homes = { ...aGroup("homes", [aShortText("road", { label: "Road" })]), label: "Homes", rowLabel: "Home" };
  render(<ProblemList problems={[{ path: ["homes", 1, "road"], message: "Answer this" }]} fields={[homes]} />);
  screen.getByText("Homes, Home 2, Road:", { exact: false });
});

test("a file that was refused: when it is left out, the keyboard stands on the box that takes another one", async () => {
  open({ ...asked, type: "file", atMost: 2 });
  const box = await screen.findByLabelText("Add a file: Asked");
  fireEvent.change(box, { target: { files: [new File(["x"], "tool.exe")] } });
  fireEvent.click(await screen.findByRole("button", { name: "Leave out tool.exe" }));
  await waitFor(() => expect(document.activeElement).toBe(box));
});
