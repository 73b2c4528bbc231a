// What the participants say of a finished document, and that another text begins anew.
import { addDays } from "@app/shared/days";
import type { WrittenDocument } from "@app/shared/documents";
import { ROLES } from "@app/shared/access";
import { expect, test } from "vitest";
import { refusal } from "../../support/access/refusal.ts";
import { aDocument, aTemplateOf, allMediated, everybodySigned } from "../../support/documents/case-documents.ts";
import { doc, para } from "../../support/documents/content.ts";
import { TODAY } from "../../support/finances/disclosed.ts";
import { aCase, aPractice, aStaffUser } from "../../support/server/people.ts";
import { forAllTests, forEachTest } from "../../support/server/lifetimes.ts";
import { startTestApp } from "../../support/server/test-app.ts";

const app = forAllTests(() => startTestApp());
const practice = forEachTest(() => aPractice(app));
const built = forEachTest(() => aCase(practice, { domain: "family" }));

async function aDraft(kind: "mou" | "letter" = "mou"): Promise<WrittenDocument> {
  await everybodySigned(practice, built.theCase.id);
  await allMediated(practice, built.theCase);
  const templateId = await aTemplateOf(practice, doc(para("What we propose")), { kind, name: `A ${kind}` });
  return aDocument(practice, { caseId: built.theCase.id, templateId, privilege: "without_prejudice" });
}
const finish = ({ id, version }: WrittenDocument) => practice.api.documents.finish.mutate({ id, version });
const said = (
  id: string,
  partyId: string,
  more: { decision?: "approved" | "change"; on?: string; comment?: string } = {},
) => ({
  id,
  partyId,
  decision: "approved" as const,
  on: TODAY(),
  how: "session" as const,
  comment: "",
  ...more,
});
const record = (input: ReturnType<typeof said>) => practice.api.documents.recordApproval.mutate(input);

test("documents.recordApproval: each participant, when they say something again, is kept with what they said last", async () => {
  const { id } = await finish(await aDraft());
  const { p1, p2 } = built;
  await record(said(id, p1.partyId, { decision: "change", comment: "The second date" }));
  await record(said(id, p2.partyId));
  const { approvals } = await record(said(id, p1.partyId));
  expect(approvals).toMatchObject([
    { partyId: p2.partyId, decision: "approved", on: TODAY(), how: "session", recordedByName: "Ines Marchbank" },
    { partyId: p1.partyId, decision: "approved", comment: "" },
  ]);
});

test("documents.recordApproval: a draft, a letter, a day before it was written, or a change in no words is refused", async () => {
  const draft = await aDraft();
  const { partyId } = built.p1;
  expect((await refusal(record(said(draft.id, partyId)))).message).toContain("still a draft");
  const { id } = await finish(draft);
  expect((await refusal(record(said(id, partyId, { on: addDays(TODAY(), -3) })))).fields["on"]).toContain(
    "not written yet",
  );
  expect((await refusal(record(said(id, partyId, { decision: "change" })))).fields["comment"]).toContain(
    "which change",
  );
  const letter = await finish(await aDraft("letter"));
  expect((await refusal(record(said(letter.id, partyId)))).message).toContain("is approved by them");
});

test("documents.recordApproval: whoever does not answer for the case, when they record it, is refused", async () => {
  const { id } = await finish(await aDraft());
  const caseworker = await aStaffUser(app, practice, { role: ROLES.caseworker });
  const input = said(id, built.p1.partyId);
  expect((await refusal(caseworker.api.documents.recordApproval.mutate(input))).code).toBe("FORBIDDEN");
});

test("documents.finish: a new draft of an approved document, when it is finished, takes its place and nobody has approved it", async () => {
  const { id } = await finish(await aDraft());
  await record(said(id, built.p1.partyId));
  const copy = await practice.api.documents.copy.mutate({ id: `copy-${id}`.slice(0, 60), documentId: id });
  const rows = async () => (await practice.api.documents.list.query({ caseId: built.theCase.id, page: 1 })).items;
  const standing = async () => new Map((await rows()).map((one) => [one.id, one.isSuperseded]));
  expect((await standing()).get(id)).toBe(false);
  const newer = await finish(copy);
  expect(newer.approvals).toEqual([]);
  expect([(await standing()).get(id), (await standing()).get(newer.id)]).toEqual([true, false]);
  expect((await refusal(record(said(id, built.p2.partyId)))).message).toContain("took the place");
  await practice.api.documents.setRemoved.mutate({ id: newer.id, isRemoved: true });
  expect((await standing()).get(id)).toBe(false);
});

test("documents.mark: a finished document, when somebody marks it otherwise, stays as it was", async () => {
  const { id, version } = await finish(await aDraft("letter"));
  const marked = practice.api.documents.mark.mutate({ id, version, privilege: "open" });
  expect((await refusal(marked)).message).toContain("finished, so it stays as it is");
});
