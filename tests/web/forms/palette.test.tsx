import { expect, test } from "vitest";
import { PALETTE, paletteFor } from "../../../web/src/features/forms/field-palette.ts";

const found = (search: string) => paletteFor(search).flatMap(({ types }) => types);

test.each([
  ["a part of a name", " YES", ["yes_no"]],
  ["the name of a group", "contact", ["name", "email", "phone", "address", "birth_date", "contact"]],
  ["what no type is called", "zebra", []],
])("the types of questions: %s, when it is looked for, finds these", (_what, search, types) => {
  expect(found(search)).toEqual(types);
});

test("the types of questions: nothing, when it is looked for, finds all", () => {
  expect(found("")).toEqual(PALETTE.flatMap(({ types }) => types));
});
