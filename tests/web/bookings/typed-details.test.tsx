import { expect, test } from "vitest";
import { answersIn, answersTo } from "../../../web/src/features/bookings/typed-details.ts";

const free = { label: "Do you need step-free access?", kind: "yes_no" as const, isRequired: true };
const safe = { label: "Is it safe to call you?", kind: "yes_no" as const, isRequired: true };
const typed = { answers: answersTo([free, safe], ["Yes", "No"]) };

test.each([
  ["in another order", [safe, free], ["No", "Yes"]],
  ["with one less", [safe], ["No"]],
  ["with one more", [{ ...free, label: "Your language?" }, free, safe], ["", "Yes", "No"]],
  ["in other words", [free, { ...safe, label: "Is it unsafe to call you?" }], ["Yes", ""]],
  ["for another kind of answer", [{ ...free, kind: "long" as const }, safe], ["", "No"]],
])(
  "what was typed: asked %s, when the page changed, stands by the same question or is asked anew",
  (_how, now, then) => {
    expect(answersIn(typed, now)).toEqual(then);
  },
);
