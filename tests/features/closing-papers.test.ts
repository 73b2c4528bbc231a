// What is said to have gone out at the end of a case is on file in it, or was made outside.
import type { Outcome } from "@app/shared/case-outcomes";
import { forParty, SHARED } from "@app/shared/visibility";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { AGREED, ending } from "../support/server/ending.ts";
import { anAuthorisedPractice } from "../support/server/assessments.ts";
import { aMediatedCase } from "../support/server/led.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { storePdf } from "../support/server/signing.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => anAuthorisedPractice(app));

type Paper = Partial<Pick<Outcome["documents"][number], "fileId" | "isMadeOutside">>;

/** A case whose session settled it, and how to conclude it with a memorandum for both that is this paper. */
async function settled() {
  const { theCase } = await aMediatedCase(practice);
  const { hold, conclude } = ending(practice);
  await hold(theCase, "agreed_all");
  const partyIds = theCase.parties.map(({ partyId }) => partyId);
  const given = (paper: Paper): Outcome => ({
    ...AGREED,
    isWrittenUp: true,
    documents: [{ kind: "memorandum", partyIds, fileId: "", isMadeOutside: false, ...paper }],
  });
  const end = (paper: Paper) => conclude(theCase, given(paper));
  return { theCase, partyIds, end, fieldsOf: async (paper: Paper) => (await refusal(end(paper))).fields };
}

test("papers of an end: when nobody says which paper went out, or says two things of it, then that is asked, and one that was made outside is taken", async () => {
  const { theCase, end, fieldsOf } = await settled();
  const { id: fileId } = await storePdf(practice, theCase, { visibility: SHARED });
  const asked = { documents: expect.stringContaining("which file of the case it is, or that it was made outside") };
  expect(await fieldsOf({})).toEqual(asked);
  expect(await fieldsOf({ fileId, isMadeOutside: true })).toEqual(asked);
  expect((await end({ isMadeOutside: true })).outcome?.documents).toMatchObject([{ fileId: "", isMadeOutside: true }]);
});

test("papers of an end: when the paper is of another case, was deleted, or is not for everybody whom it went to, then it is refused", async () => {
  const { theCase, partyIds, fieldsOf } = await settled();
  const { theCase: other } = await aMediatedCase(practice);
  const gone = { documents: expect.stringContaining("is not in the case any more") };
  expect(await fieldsOf({ fileId: (await storePdf(practice, other)).id })).toEqual(gone);
  const { id: deleted } = await storePdf(practice, theCase);
  await practice.api.files.remove.mutate({ ids: [deleted] });
  expect(await fieldsOf({ fileId: deleted })).toEqual(gone);
  const { id: own } = await storePdf(practice, theCase, { visibility: forParty(partyIds[0] ?? ""), name: "Memo.pdf" });
  expect(await fieldsOf({ fileId: own })).toEqual({ documents: expect.stringContaining("P2 may not read “Memo.pdf”") });
});

test("papers of an end: when the paper is on file, then the end says which it is, and it is not deleted under it", async () => {
  const { theCase, end } = await settled();
  const { id: fileId } = await storePdf(practice, theCase, { visibility: SHARED, name: "Memo.pdf" });
  expect((await end({ fileId })).outcome?.documents).toMatchObject([{ fileId, isMadeOutside: false }]);
  expect((await refusal(practice.api.files.remove.mutate({ ids: [fileId] }))).message).toBe(
    `How case ${theCase.caseRef} ended says that “Memo.pdf” went out, so it stays.`,
  );
});
