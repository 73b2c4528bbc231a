// What an agreement to mediate says of confidences is what is chosen when it is written and when it is sent out.
import type { Confidences } from "@app/shared/confidences";
import { CaseModel } from "@app/server/features/cases/cases.model";
import { AGREED_WORDS } from "@app/shared/agreement-words";
import { linesOf, missingIn } from "@app/shared/document-walk";
import { expect, test } from "vitest";
import { refusal } from "../../support/access/refusal.ts";
import { aDocument, aTemplateOf } from "../../support/documents/case-documents.ts";
import { doc, para } from "../../support/documents/content.ts";
import { forAllTests, forEachTest } from "../../support/server/lifetimes.ts";
import { aPractice } from "../../support/server/people.ts";
import { aReadyCase, sendOut } from "../../support/server/signing.ts";
import { startTestApp } from "../../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
const built = forEachTest(() => aReadyCase(practice));
const OLD =
  "In the mediation itself the mediator keeps no secrets between you: what one says can be told to the other.";

async function starter(): Promise<string> {
  const { items } = await practice.api.documentTemplates.list.query({ kind: "agreement_to_mediate" });
  return items[0]?.id ?? "";
}

const agreement = async (confidences: Confidences | null, templateId?: string) =>
  aDocument(practice, {
    caseId: built.theCase.id,
    templateId: templateId ?? (await starter()),
    addressee: { kind: "party", partyId: built.p1.partyId },
    confidences,
  });

const send = (fileId: string | null, confidences: Confidences) =>
  sendOut(practice, fileId ?? "", [built.p1.partyId], { isAgreement: true, confidences });

test.each(["kept", "none"] as const)(
  "documents.create: an agreement for which “%s” is chosen, says so and not the opposite",
  async (chosen) => {
    const other = chosen === "kept" ? "none" : "kept";
    const words = linesOf((await agreement(chosen)).content).join("\n");
    expect(words).toContain(AGREED_WORDS[chosen]);
    expect(words).not.toContain(AGREED_WORDS[other]);
  },
);

test("documents.create: an agreement for which nothing is chosen, leaves it to be written", async () => {
  expect(missingIn((await agreement(null)).content)).toContain("agreement.confidences");
});

test("signatures.create: an agreement, when it is sent out as saying the opposite of its words, is refused", async () => {
  const templateId = await aTemplateOf(practice, doc(para(OLD)), { kind: "agreement_to_mediate" });
  const { id, version } = await agreement(null, templateId);
  const { fileId } = await practice.api.documents.finish.mutate({ id, version });
  expect((await refusal(send(fileId, "kept"))).fields["confidences"]).toContain(
    "The document says of confidences: none",
  );
  expect((await send(fileId, "none")).isAgreement).toBe(true);
});

test("documents.create: an agreement, when the words of its template say the opposite of what is chosen, is refused", async () => {
  const templateId = await aTemplateOf(practice, doc(para(OLD)), { kind: "agreement_to_mediate" });
  expect((await refusal(agreement("kept", templateId))).fields["confidences"]).toContain("say the opposite");
});

test("signatures.create: an agreement, when it is sent as another document to somebody who has not signed, is refused", async () => {
  const { id, version } = await agreement("none");
  const { fileId } = await practice.api.documents.finish.mutate({ id, version });
  const sent = sendOut(practice, fileId ?? "", [built.p1.partyId], { isAgreement: false });
  expect((await refusal(sent)).fields["isAgreement"]).toContain("This is the agreement to mediate");
});

test("signatures.create: an agreement, when somebody who is to sign it was not met yet, is refused, and says where they stand", async () => {
  const { id, version } = await agreement("none");
  const { fileId } = await practice.api.documents.finish.mutate({ id, version });
  const stand = (status: string) =>
    CaseModel.updateOne(
      { ownerId: practice.ownerId, _id: built.theCase.id, "parties.partyId": built.p1.partyId },
      { $set: { "parties.$.status": status } },
    );
  await stand("responded");
  const { fields } = await refusal(send(fileId, "none"));
  expect(fields["signers"]).toContain("P1 cannot sign the agreement to mediate yet");
  expect(fields["signers"]).toContain("“Responded”");
});
