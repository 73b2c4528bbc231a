// The page of signatures names everybody who signed: nobody reads it there before they were told of them.
import { FileModel } from "@app/server/features/files/files.model";
import { CaseModel } from "@app/server/features/cases/cases.model";
import { forParty, SHARED } from "@app/shared/visibility";
import { beforeEach, expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { mailsOf } from "../support/server/booked.ts";
import { forAllTests, forEachTest, forgetAttempts } from "../support/server/lifetimes.ts";
import { aPractice, aVisitor } from "../support/server/people.ts";
import { aReadyCase, linksOf, sendOut, signAs, storePdf } from "../support/server/signing.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
const built = forEachTest(() => aReadyCase(practice));
beforeEach(() => forgetAttempts());

/** Whether whoever came first may be named to the others. */
const setNamed = (isNamed: boolean) =>
  CaseModel.updateOne(
    { _id: built.theCase.id, ownerId: practice.ownerId },
    { $set: { "parties.0.contactAgreement.isNamed": isNamed } },
  );
const filesOf = async (partyId: string) => {
  const { theCase } = built;
  const page = await practice.api.partyView.preview.query({ caseId: theCase.id, partyId });
  return JSON.stringify(page);
};

test.each(["bank statement", "memorandum"])(
  "signatures.create: a %s, when it is sent out as the agreement to mediate, is refused",
  async (what) => {
    await setNamed(true);
    const { theCase, p1 } = built;
    const { id } = await storePdf(practice, theCase);
    const mark =
      what === "memorandum"
        ? { privilege: "without_prejudice" as const, isFinancial: false }
        : { privilege: "open" as const, isFinancial: true };
    await FileModel.updateOne({ ownerId: practice.ownerId, _id: id }, { $set: { mark } });
    const sent = sendOut(practice, id, [p1.partyId], { isAgreement: true, confidences: "kept" });
    expect((await refusal(sent)).fields["isAgreement"]).toContain("no agreement to mediate");
  },
);

test("signatures.create: one who has not been told of the other, when a shared file is sent to both, is why it is refused", async () => {
  await setNamed(false);
  const { theCase, p1, p2 } = built;
  const file = await storePdf(practice, theCase);
  const refused = await refusal(sendOut(practice, file.id, [p1.partyId, p2.partyId]));
  expect(refused.fields["signers"]).toContain(`${p2.name} (P2) may read this file and has not been told yet`);
  expect(refused.fields["signers"]).toContain("they alone may read");
  expect(await mailsOf(practice.ownerId)).toEqual([]);
  // Also where they only read what the other signs; the other way round nobody is named whom they do not know.
  expect((await refusal(sendOut(practice, file.id, [p1.partyId]))).fields["signers"]).toContain(p2.name);
  await sendOut(practice, file.id, [p2.partyId]);
  const own = await storePdf(practice, theCase, { visibility: forParty(p1.partyId) });
  await sendOut(practice, own.id, [p1.partyId]);
  await setNamed(true);
  await sendOut(practice, file.id, [p1.partyId, p2.partyId]);
});

test("a signed document: whoever joined while it was signed, or is not to be told any more, does not read the page of signatures", async () => {
  const { theCase, p1, p2 } = built;
  const file = await storePdf(practice, theCase, { name: "Terms.pdf", visibility: SHARED });
  const made = await sendOut(practice, file.id, [p1.partyId, p2.partyId]);
  const links = await linksOf(practice);
  await signAs(aVisitor(app), links[p2.partyId] ?? "");
  await setNamed(false);
  await signAs(aVisitor(app), links[p1.partyId] ?? "");
  const { sealedFileId } = await practice.api.signatures.get.query({ id: made.id });
  const { visibility } = await practice.api.files.get.query({ id: sealedFileId ?? "" });
  expect(visibility).toEqual({ scope: "party", partyIds: [p1.partyId], aboutPartyIds: [] });
  expect(await filesOf(p2.partyId)).not.toContain("Terms (signed).pdf");
  expect(await filesOf(p1.partyId)).toContain("Terms (signed).pdf");
  const answer = await fetch(`${app.url}/signing-documents?token=${links[p2.partyId]}`);
  expect(answer.status).toBe(403);
  const told = (await mailsOf(practice.ownerId)).filter(({ text }) => text.includes("Everyone has now signed"));
  expect(told.map(({ partyId }) => partyId)).toEqual([p1.partyId]);
});
