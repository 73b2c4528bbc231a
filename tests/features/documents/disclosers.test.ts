// Who discloses their finances: not everybody in a case does, and who did so stays in the statement of that exchange.
import { CaseModel } from "@app/server/features/cases/cases.model";
import { FinanceModel } from "@app/server/features/finances/finances.model";
import { linesOf } from "@app/shared/document-walk";
import { expect, test } from "vitest";
import { refusal } from "../../support/access/refusal.ts";
import { aDocument, allMediated, aTemplateOf, everybodySigned } from "../../support/documents/case-documents.ts";
import { doc, field, para } from "../../support/documents/content.ts";
import { bothComplete, enter, exchange, financesOf } from "../../support/finances/disclosed.ts";
import { aLedCase } from "../../support/server/led.ts";
import { forAllTests, forEachTest } from "../../support/server/lifetimes.ts";
import { aPractice } from "../../support/server/people.ts";
import { startTestApp } from "../../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));

/** A family case of people of these names, who know of each other. */
async function familyOf(...names: string[]) {
  const led = await aLedCase(practice, names, { domain: "family" });
  const { id: caseId } = await led.now();
  await everybodySigned(practice, caseId);
  const { parties } = await led.now();
  const idOf = (index: number) => parties[index]?.partyId ?? "";
  const setDisclosing = async (partyId: string, isDisclosing: boolean) => {
    const { version } = await financesOf(practice, caseId);
    return practice.api.finances.setDisclosing.mutate({ caseId, version, partyId, isDisclosing });
  };
  const leave = (partyId: string) =>
    CaseModel.updateOne(
      { ownerId: practice.ownerId, _id: caseId, "parties.partyId": partyId },
      { $set: { "parties.$.leftAt": new Date(Date.now() + 1000), "parties.$.status": "withdrawn" } },
    );
  return { caseId, idOf, setDisclosing, leave };
}

async function statementOf(caseId: string, kind: "ofs" | "mou" = "ofs") {
  const { items } = await practice.api.documentTemplates.list.query({ kind });
  const templateId = items[0]?.id ?? "";
  const privilege = kind === "ofs" ? "open" : "without_prejudice";
  return aDocument(practice, { caseId, templateId, privilege });
}

test("finances.setDisclosing: a grandparent who does not disclose, when the two others exchange, is asked and shown nothing", async () => {
  const { caseId, idOf, setDisclosing } = await familyOf("Ada Heron", "Ben Heron", "Grace Quill");
  await enter(practice, caseId, idOf(0), { label: "Heronbank" });
  await enter(practice, caseId, idOf(1), { label: "Leedsbank" });
  const { parties, others } = await setDisclosing(idOf(2), false);
  expect(parties.map(({ partyId }) => partyId)).toEqual([idOf(0), idOf(1)]);
  expect(others).toMatchObject([{ partyId: idOf(2), name: "Grace Quill" }]);
  expect((await refusal(enter(practice, caseId, idOf(2)))).message).toContain("does not disclose");
  await exchange(practice, caseId);
  const statement = await statementOf(caseId);
  expect(statement.visibility).toEqual({ scope: "party", partyIds: [idOf(0), idOf(1)], aboutPartyIds: [] });
  const words = linesOf(statement.content).join("\n");
  expect(words).toContain("Heronbank");
  expect(words).toContain("Ada Heron and Ben Heron");
  expect(words).not.toContain("Grace");
  const templateId = await aTemplateOf(practice, doc(para("Exchanged: ", field("finances.exchangedOn"))));
  expect(JSON.stringify(await aDocument(practice, { caseId, templateId }))).not.toMatch(/Exchanged.*20\d\d"/);
});

test("court pack: a statement of those who disclose, when one of them asks, is in it, and not in that of somebody else", async () => {
  const { caseId, idOf, setDisclosing } = await familyOf("Ada Heron", "Ben Heron", "Grace Quill");
  await enter(practice, caseId, idOf(0));
  await enter(practice, caseId, idOf(1));
  await setDisclosing(idOf(2), false);
  await exchange(practice, caseId);
  const templateId = await aTemplateOf(practice, doc(para("A statement")), { kind: "ofs" });
  const { id, version } = await aDocument(practice, { caseId, templateId, privilege: "open", name: "Statement" });
  await practice.api.documents.finish.mutate({ id, version });
  const packOf = async (partyId: string | null) =>
    (await practice.api.courtPacks.preview.query({ caseId, partyId })).included.map(({ name }) => name);
  expect(await packOf(idOf(0))).toEqual(["Statement.pdf"]);
  expect(await packOf(idOf(2))).toEqual([]);
  expect(await packOf(null)).toEqual([]);
});

test("documents.create: how many sessions there were, when somebody came to fewer, is said with whom", async () => {
  const { caseId } = await familyOf("Ada Heron", "Ben Heron", "Grace Quill");
  const theCase = await practice.api.cases.get.query({ id: caseId });
  await allMediated(practice, theCase);
  await allMediated(practice, { ...theCase, parties: theCase.parties.slice(0, 2) });
  const templateId = await aTemplateOf(practice, doc(para(field("case.sessionsHeld"))));
  const words = linesOf((await aDocument(practice, { caseId, templateId })).content);
  expect(words).toEqual(["2 sessions, Grace Quill in 1 of them"]);
});

test("finances.setDisclosing: of whom figures are entered, when it is recorded that they disclose nothing, is refused", async () => {
  const { caseId, idOf, setDisclosing } = await familyOf("Ada Heron", "Ben Heron", "Grace Quill");
  await enter(practice, caseId, idOf(2));
  expect((await refusal(setDisclosing(idOf(2), false))).message).toContain("Remove them first");
});

test("documents.create: once one of two has left, the statement of their exchange holds both, and a memorandum is refused", async () => {
  const { caseId, idOf, leave } = await familyOf("Ada Heron", "Ben Heron");
  await enter(practice, caseId, idOf(0), { label: "Heronbank" });
  await enter(practice, caseId, idOf(1), { label: "Leedsbank" });
  await exchange(practice, caseId);
  await leave(idOf(1));
  const words = linesOf((await statementOf(caseId)).content).join("\n");
  for (const said of ["Heronbank", "Leedsbank", "Ada Heron and Ben Heron"]) expect(words).toContain(said);
  expect((await refusal(statementOf(caseId, "mou"))).fields["addressee"]).toContain("Only one participant takes part");
});

test("documents.create: a statement of two, when one left before any exchange, is refused", async () => {
  const { caseId, idOf, leave } = await familyOf("Ada Heron", "Ben Heron");
  await enter(practice, caseId, idOf(0));
  await leave(idOf(1));
  expect((await refusal(statementOf(caseId))).message).toContain("Only one participant discloses");
});

test("finances.exchange: papers that were handed over before the figures were typed, when that is said, are exchanged as of that day", async () => {
  const { caseId, idOf } = await familyOf("Ada Heron", "Ben Heron");
  for (const index of [0, 1]) await enter(practice, caseId, idOf(index), { asOf: "2026-11-03" });
  const { version } = await bothComplete(practice, caseId);
  const sent = (days: readonly string[], areAsHandedOver: boolean) =>
    practice.api.finances.exchange.mutate({
      caseId,
      version,
      consents: days.map((on, index) => ({ partyId: idOf(index), on, how: "In session 1" })),
      areAsHandedOver,
    });
  const days = ["2026-11-04", "2026-11-05"];
  expect((await refusal(sent(days, false))).fields["consents"]).toContain("older than what is to be shared");
  expect((await refusal(sent(["2026-11-02", "2026-11-05"], true))).fields["consents"]).toContain(
    "not handed over then",
  );
  await sent(days, true);
  const templateId = await aTemplateOf(practice, doc(para(field("finances.exchangedOn"))), { kind: "ofs" });
  const { content } = await aDocument(practice, { caseId, templateId, privilege: "open" });
  expect(linesOf(content)).toEqual(["5 November 2026"]);
});

test("finances.exchange: what somebody who left had said of nothing, when the others exchange, is shown to nobody, and waits when they return", async () => {
  const { caseId, idOf, leave } = await familyOf("Ada Heron", "Ben Heron", "Cora Heron");
  for (const index of [0, 1]) await enter(practice, caseId, idOf(index));
  const { version } = await financesOf(practice, caseId);
  await practice.api.finances.setNone.mutate({ caseId, version, partyId: idOf(2), category: "pensions", isNone: true });
  await leave(idOf(2));
  await exchange(practice, caseId);
  const stored = await FinanceModel.findOne({ ownerId: practice.ownerId, caseId }).lean();
  const shown = stored?.parties.map(({ partyId, shownNoneIn }) => [partyId, shownNoneIn]);
  expect(shown?.find(([partyId]) => partyId === idOf(0))).toEqual([idOf(0), []]);
  expect(shown?.find(([partyId]) => partyId === idOf(2))).toEqual([idOf(2), undefined]);
});
