import { standing, stoodThere, withAnswer, withBefore } from "@app/shared/answer-proposals";
import type { CreateClient } from "@app/shared/clients";
import type { AnswerValue } from "@app/shared/form-answers";
import type { ClientTarget } from "@app/shared/form-targets";
import { expect, test } from "vitest";
import { clientFields } from "../support/server/people.ts";

const mobile = (number: string, isPreferred: boolean) => ({ type: "mobile" as const, number, isPreferred });

test.each([
  ["client.name", { firstName: "Anna", lastName: "van der Berg" }, { first: "Una", last: "File" }],
  [
    "client.address",
    { address: { lines: ["1 Long Lane", "Hull"], postcode: "11215", country: "US" } },
    { line1: "2 Short Lane", postcode: "HU1 1AA" },
  ],
  ["client.mobile", { phones: [] }, "07700 900123"],
  [
    "client.mobile",
    { phones: [mobile("07700 900111", true), { type: "home", number: "01482 000000", isPreferred: false }] },
    "07700 900123",
  ],
  ["client.mayText", {}, "no"],
  ["client.needs", { needs: "A loop" }, "A ramp"],
] satisfies [ClientTarget, Partial<CreateClient>, AnswerValue][])(
  "withBefore: of %s, when an answer was taken over, all of it stands there again",
  (target, had, answer) => {
    const before = clientFields(had);
    const after = withAnswer(before, target, answer);
    expect(standing(after, target)).not.toBe(standing(before, target));
    expect(withBefore(after, target, { before: standing(before, target), stood: stoodThere(before, target) })).toEqual(
      before,
    );
  },
);
