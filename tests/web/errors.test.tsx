import { expect, test } from "vitest";
import { messageOf } from "../../web/src/core/errors.ts";

const refused = (message: string) => Object.assign(new Error(message), { data: { code: "FORBIDDEN" } });

test("S68: a refusal that keeps one party's from another, when the page shows it, is in words without its code", () => {
  expect(messageOf(refused("PARTY_LEAK: Owen cannot receive this message."))).toBe("Owen cannot receive this message.");
});

test("messageOf: any other refusal, when the page shows it, stands as the server says it", () => {
  expect(messageOf(refused("Ask the owner about PARTY_LEAK: words."))).toBe("Ask the owner about PARTY_LEAK: words.");
});
