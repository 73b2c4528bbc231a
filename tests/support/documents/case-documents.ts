// Documents that are written in a case, as the page would send them.
import { newId } from "@app/server/core/ids";
import { CaseModel } from "@app/server/features/cases/cases.model";
import { SessionModel } from "@app/server/features/sessions/sessions.model";
import type { Case } from "@app/shared/cases";
import type { DocumentContent } from "@app/shared/document-content";
import type { DocumentKind } from "@app/shared/document-kind-list";
import type { CreateDocument } from "@app/shared/documents";
import { TODAY } from "../finances/disclosed.ts";
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

let lastNumber = 500;
/** No two sessions of a case have the same one. */
const nextNumber = () => (lastNumber += 1);

/** As if all of them had mediated in a session that was locked. */
export async function allMediated(
  { ownerId }: Pick<TestPractice, "ownerId">,
  { id: caseId, parties }: Pick<Case, "id" | "parties">,
): Promise<void> {
  const at = new Date();
  const partyIds = parties.map(({ partyId }) => partyId);
  const attendance = partyIds.map((partyId) => ({ partyId, state: "present" as const, at }));
  const held = { status: "locked" as const, startedAt: at, endedAt: at, lockedAt: at, minutes: 60 };
  const by = { mediatorIds: [ownerId], createdBy: ownerId, createdAt: at };
  await SessionModel.create([
    { ownerId, caseId, number: nextNumber(), format: "in_person", partyIds, attendance, ...held, ...by },
  ]);
}

/** Each of them, today, to what they disclosed being read by the others. */
export const consentsOf = ({ parties }: Pick<Case, "parties">) =>
  parties.map(({ partyId }) => ({ partyId, on: TODAY(), how: "In the session" }));

/** As if everybody had signed the agreement to mediate: they know of each other. */
export const everybodySigned = ({ ownerId }: Pick<TestPractice, "ownerId">, caseId: string) =>
  CaseModel.updateOne({ _id: caseId, ownerId }, { $set: { "parties.$[].agreementSignedOn": SIGNED_ON } });
