import {
  joinFor,
  madeForOf,
  mapFor,
  openFor,
  outputForParty,
  readableFor,
  sealFor,
  sealForNoParty,
} from "@app/server/features/visibility/for-party.service";
import { caucusOf, forParty, MEDIATOR_ONLY, NO_TIMES, PRACTICE_ONLY, SHARED } from "@app/shared/visibility";
import { expect, test } from "vitest";
import { z } from "zod";

const parties = ["p1", "p2"].map((partyId) => ({
  partyId,
  clientId: `client-${partyId}`,
  label: partyId.toUpperCase(),
  joinedAt: null,
  leftAt: null,
  absences: [],
  daysAway: [],
  daysOut: [],
}));
const theCase = { id: "case", parties };
const p1 = { theCase, partyId: "p1" };
const p2 = { theCase, partyId: "p2" };
const stranger = { theCase, partyId: "p9" };
const things = [SHARED, forParty("p1"), forParty("p2"), caucusOf("p1"), PRACTICE_ONLY, MEDIATOR_ONLY].map(
  (visibility, index) => ({ visibility, ...NO_TIMES, text: `thing ${index}` }),
);

test("readableFor: of a list it keeps what this party may read", () => {
  expect(openFor(readableFor(p1, things), { partyId: "p1" }).map(({ text }) => text)).toEqual(["thing 0", "thing 1"]);
  expect(openFor(readableFor(p2, things), { partyId: "p2" }).map(({ text }) => text)).toEqual(["thing 0", "thing 2"]);
});

test.each(things.slice(2))("sealFor: refuses what holds $text of somebody else", (thing) => {
  expect(() => sealFor(p1, "a letter", [thing])).toThrow("PARTY_LEAK: this holds something that P1 may not see");
});

test.each(things.slice(1))("sealForNoParty: refuses $text, which not everybody may read", (thing) => {
  expect(() => sealForNoParty("client-p1", "a letter", [thing])).toThrow("PARTY_LEAK");
});

test("for a party: nothing is made for somebody who is no party of the case", () => {
  expect(() => sealFor(stranger, "a letter", [])).toThrow("PARTY_LEAK");
  expect(() => readableFor(stranger, [])).toThrow("PARTY_LEAK");
  expect(() => joinFor(stranger, [])).toThrow("PARTY_LEAK");
});

test.each([{ partyId: "p2" }, { clientId: "client-p2" }, { caseId: "another case" }, { partyId: null }])(
  "openFor: what was made for one opens for no other: %o",
  (to) => {
    expect(() => openFor(sealFor(p1, "a letter", []), to)).toThrow("PARTY_LEAK");
    expect(() => openFor(mapFor(sealFor(p1, "a letter", []), String), to)).toThrow("PARTY_LEAK");
  },
);

test("joinFor: refuses a list that was made for another", () => {
  expect(() => joinFor(p1, [readableFor(p1, things), readableFor(p2, things)])).toThrow("PARTY_LEAK");
});

test("for a party: it opens for whom it was made, and says for whom", () => {
  const letter = mapFor(sealFor(p1, "a letter", [{ visibility: forParty("p1"), ...NO_TIMES }]), (text) =>
    text.toUpperCase(),
  );
  expect(madeForOf(letter)).toEqual({ caseId: "case", partyId: "p1", clientId: "client-p1" });
  expect(openFor(letter, { caseId: "case", partyId: "p1", clientId: "client-p1" })).toBe("A LETTER");
});

test("for a party: what is not opened is empty in an answer", () => {
  const letter = sealFor(p1, "a letter", []);
  expect(JSON.stringify([letter, Object.entries(letter)])).not.toContain("a letter");
});

test("outputForParty: a procedure answers with what was made for a party and with nothing else", () => {
  const schema = outputForParty(z.object({ text: z.string() }));
  expect(schema.parse(sealFor(p1, { text: "a letter", more: "a caucus" }, []))).toEqual({ text: "a letter" });
  expect(schema.safeParse({ text: "a letter" }).success).toBe(false);
});

test("for a party: a value forged past the compiler does not open", () => {
  const forged = JSON.parse('{"madeFor":{},"content":"a caucus"}');
  expect(() => openFor(forged, {})).toThrow("PARTY_LEAK");
});
