import { expect, test } from "vitest";
import { nameIn } from "../../web/src/core/download.ts";

test.each([
  ["attachment; filename=answers.csv", "answers.csv"],
  ['attachment; filename="my answers.csv"', "my answers.csv"],
  ["attachment; filename=\"Zoe; she.pdf\"; filename*=UTF-8''Zo%C3%AB.pdf", "Zoë.pdf"],
  ["ATTACHMENT; FILENAME=answers.csv; size=1", "answers.csv"],
  ["attachment", ""],
])("a download: where the server says %s, it is saved as “%s”", (disposition, name) => {
  expect(nameIn(disposition)).toBe(name);
});
