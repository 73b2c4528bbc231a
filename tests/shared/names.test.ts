import { cleanName, givenName, partsOfName } from "@app/shared/names";
import { expect, test } from "vitest";

test.each([
  ["Tim Three", "Tim"],
  ["Three, Tim", "Tim"],
  ["Three,Tim James", "Tim"],
  ["Three,", "Three"],
  [", Tim", "Tim"],
  ["Tim Three, Jr.", "Tim"],
  ["Three, Tim, Jr", "Tim"],
  ["Acme, Inc.", "Acme"],
  ["Tim", "Tim"],
  [" , ", ""],
])("givenName: when somebody is called %j, then a letter addresses %j", (whole, name) => {
  expect(givenName(whole)).toBe(name);
});

test("partsOfName: when the last name comes first, then the parts are as in the usual order", () => {
  expect(partsOfName("Ellery, Maya")).toEqual(partsOfName("Maya Ellery"));
});

test("cleanName: when marks stand at its ends, then they go, and those within stay", () => {
  expect(cleanName(" ,Three,  Tim,; ")).toBe("Three, Tim");
});
