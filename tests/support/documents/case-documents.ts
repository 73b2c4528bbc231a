// Documents that are written in a case, as the page would send them.
import { newId } from "@app/server/core/ids";
import { CaseModel } from "@app/server/features/cases/cases.model";
import type { DocumentContent } from "@app/shared/document-content";
import type { DocumentKind } from "@app/shared/document-kind-list";
import type { CreateDocument } from "@app/shared/documents";
import type { TestPractice } from "../server/people.ts";
import { SIGNED_ON } from "../server/signed.ts";

type Practice = Pick<TestPractice, "api">;

export async function aTemplateOf(
  { api }: Practice,
  content: DocumentContent,
  { kind = "letter", name = "A template" }: { kind?: DocumentKind; name?: string } = {},
): Promise<string> {
  const { id } = await api.documentTemplates.create.mutate({ id: newId(), name, kind });
  await api.documentTemplates.save.mutate({ id, version: 0, name, content });
  return id;
}

export const aDocument = (
  { api }: Practice,
  given: Pick<CreateDocument, "caseId" | "templateId"> & Partial<CreateDocument>,
) =>
  api.documents.create.mutate({
    id: newId(),
    name: "A document",
    addressee: { kind: "joint", partyId: null },
    privilege: "none",
    ...given,
  });

/** As if everybody had signed the agreement to mediate: they know of each other. */
export const everybodySigned = ({ ownerId }: Pick<TestPractice, "ownerId">, caseId: string) =>
  CaseModel.updateOne({ _id: caseId, ownerId }, { $set: { "parties.$[].agreementSignedOn": SIGNED_ON } });
