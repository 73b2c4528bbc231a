// A reference that names a party: whoever may not hear of them yet reads it nowhere.
import { richTextOf } from "@app/shared/rich-text";
import { toldReference } from "@app/shared/told-reference";
import { expect, test } from "vitest";
import { pdfText } from "../support/hostile/pdf-text.ts";
import { aLetterTo } from "../support/mail/letters.ts";
import { aMediatedCase } from "../support/server/led.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aCase, aPractice } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
let count = 0;
const aRef = () => `Priya v Owen ${(count += 1)}`;

/** A case whose reference names both, and whose first party agrees that the other is contacted. */
async function agreedTo(isNamed: boolean) {
  const built = await aCase(practice, { caseRef: aRef() }, { isAgreed: false });
  const { id, version, createdAt } = built.theCase;
  const said = { partyId: built.p1.partyId, isAgreed: true, isNamed, on: createdAt.slice(0, 10) };
  const theCase = await practice.api.casework.recordContactAgreement.mutate({ id, version, ...said });
  return { ...built, theCase };
}

/** All in which a party reads the reference of their case. */
async function readBy({ theCase }: Awaited<ReturnType<typeof agreedTo>>, index: 0 | 1): Promise<string> {
  const party = theCase.parties[index];
  if (!party) throw new Error("there is no such party");
  const preview = await practice.api.partyView.preview.query({ caseId: theCase.id, partyId: party.partyId });
  const record = await pdfText(app, practice, `/export/clients/${party.clientId}.pdf`);
  const { email } = await practice.api.clients.get.query({ id: party.clientId });
  const body = richTextOf("Your case is {{case.reference}}");
  const letter = aLetterTo(email, { clientId: party.clientId, caseId: theCase.id, body });
  return JSON.stringify([preview.caseRef, record, await practice.api.compose.check.mutate(letter)]).toLowerCase();
}

test("S67: the reference of a case, while whoever came first is not to be named, then the other reads it nowhere, and its writer learns why", async () => {
  const built = await agreedTo(false);
  const read = await readBy(built, 1);
  expect(read).not.toContain("priya v");
  expect(read).toContain("may name somebody of whom they are not to hear yet");
  expect(await readBy(built, 0)).toContain(built.theCase.caseRef.toLowerCase());
});

test("the reference of a case, where whoever came first is named to the other, is told", async () => {
  const built = await agreedTo(true);
  expect(await readBy(built, 1)).toContain(built.theCase.caseRef.toLowerCase());
});

test("the reference of a case, once both have agreed to mediate, is told", async () => {
  const { theCase, p2 } = await aMediatedCase(practice, { caseRef: aRef() });
  expect(toldReference(theCase, { ...p2, ...theCase.parties[1] }, "QF")).toBe(theCase.caseRef);
});

// Whatever it is made of: that no name stands in letters nobody can tell.
test.each([
  ["SMITH-2026", false],
  ["Smithers v B 5", false],
  ["Ostergaard 5", false],
  ["A.O. 2026", false],
  ["0konkw0", false],
  ["QF-2026-0014 Okonkwo", false],
  ["QF-2026-0014", true],
  ["2026-0014", true],
  ["17/26", true],
])("toldReference: %s to whoever may not hear yet of the first party: %s", async (caseRef, isTold) => {
  const { theCase, p2 } = await agreedTo(false);
  expect(toldReference({ ...theCase, caseRef }, { ...p2, ...theCase.parties[1] }, "QF")).toBe(isTold ? caseRef : "");
});
