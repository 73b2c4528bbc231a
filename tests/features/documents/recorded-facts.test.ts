// What a text says of who came, of what was proposed and of what they were told is that of this round of the case, of those
// who were there.
import { CaseModel } from "@app/server/features/cases/cases.model";
import { SessionModel } from "@app/server/features/sessions/sessions.model";
import { newId } from "@app/server/core/ids";
import type { DocumentContent } from "@app/shared/document-content";
import { linesOf } from "@app/shared/document-walk";
import type { DocumentKind } from "@app/shared/document-kind-list";
import { SHARED } from "@app/shared/visibility";
import { expect, test } from "vitest";
import { refusal } from "../../support/access/refusal.ts";
import { aDocument, allMediated, aTemplateOf, everybodySigned } from "../../support/documents/case-documents.ts";
import { doc, field, para } from "../../support/documents/content.ts";
import { aLedCase } from "../../support/server/led.ts";
import { forAllTests, forEachTest } from "../../support/server/lifetimes.ts";
import { aPractice } from "../../support/server/people.ts";
import { startTestApp } from "../../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));

/** A family case of three who know of each other. */
async function ofThree() {
  const led = await aLedCase(practice, ["Ada Heron", "Ben Heron", "Grace Quill"], { domain: "family" });
  const theCase = await led.now();
  await everybodySigned(practice, theCase.id);
  const only = (...indexes: number[]) => ({
    ...theCase,
    parties: theCase.parties.filter((_party, index) => indexes.includes(index)),
  });
  return { theCase, caseId: theCase.id, only };
}

const begin = async (caseId: string, content: DocumentContent, kind: DocumentKind = "mou") =>
  aDocument(practice, {
    caseId,
    templateId: await aTemplateOf(practice, content, { kind }),
    privilege: kind === "mou" ? "without_prejudice" : "none",
  });
const finish = ({ id, version }: { id: string; version: number }) =>
  practice.api.documents.finish.mutate({ id, version });
const wordsOf = ({ content }: { content: DocumentContent }) => linesOf(content).join("\n");

async function theMemorandum(caseId: string) {
  const { items } = await practice.api.documentTemplates.list.query({ kind: "mou" });
  const own = items.find(({ name }) => name === "Memorandum of understanding");
  return aDocument(practice, { caseId, templateId: own?.id ?? "", privilege: "without_prejudice" });
}

/** What both sides came to accept in the session that was stored last. */
async function accepted(caseId: string, text: string) {
  const at = new Date();
  const history = [{ at, byName: "Ines", status: "agreed_in_principle" }];
  const given = { issue: "House", text, byPartyId: "joint", visibility: SHARED, countersId: null, consent: null };
  const proposal = { id: newId(), ...given, status: "agreed_in_principle", at, byName: "Ines", history };
  const last = await SessionModel.findOne({ ownerId: practice.ownerId, caseId }).sort({ number: -1 });
  await SessionModel.collection.updateOne({ _id: last?._id } as object, { $push: { proposals: proposal } } as object);
}

/** As if mediation had ended by now, and the case had come back. */
const comeBack = (caseId: string) =>
  CaseModel.updateOne(
    { _id: caseId, ownerId: practice.ownerId },
    {
      $push: {
        rounds: { status: "concluded", ending: null, outcome: null, reason: "", endedAt: new Date(), concludedOn: "" },
      },
    },
  );

test("documents.create: of three of whom one came to no session, when a memorandum is written, each is said with their own", async () => {
  const { caseId, only } = await ofThree();
  await allMediated(practice, only(0, 1));
  const words = wordsOf(await theMemorandum(caseId));
  expect(words).toMatch(/Ada Heron and Ben Heron came to one session of mediation, on \d/);
  expect(words).toContain("Grace Quill came to no session of mediation.");
  expect(words).not.toContain("took part in mediation");
});

test("documents.finish: a text of before that says of all that they took part, when one came to nothing, is not finished", async () => {
  const { theCase, caseId, only } = await ofThree();
  await allMediated(practice, only(0, 1));
  const said = doc(para(field("parties.names"), " took part in mediation (", field("case.sessionsHeld"), ")."));
  expect((await refusal(finish(await begin(caseId, said)))).message).toContain("P3 came to no session");
  await allMediated(practice, theCase);
  expect((await finish(await begin(caseId, said))).status).toBe("finished");
});

test("documents.create: what was accepted before the case was reopened, when it is written of since, stands in nothing, and is not finished", async () => {
  const { theCase, caseId } = await ofThree();
  await allMediated(practice, theCase);
  await accepted(caseId, "Sell the house");
  expect(wordsOf(await theMemorandum(caseId))).toContain("Sell the house");
  const draft = await begin(caseId, doc(para(field("case.tookPart"))));
  await comeBack(caseId);
  const anew = wordsOf(await theMemorandum(caseId));
  expect(anew).not.toContain("Sell the house");
  expect(anew).not.toContain("session of mediation");
  expect((await refusal(finish(draft))).message).toContain("Who came to how many sessions");
  const plain = await begin(caseId, doc(para("Words")));
  expect((await refusal(finish(plain))).message).toContain("recorded since the case was reopened");
});

test("documents.create: what was accepted together with somebody who has left since, when it is written, says so", async () => {
  const { theCase, caseId } = await ofThree();
  await allMediated(practice, theCase);
  await accepted(caseId, "Sell the flat of all three");
  await CaseModel.updateOne(
    { ownerId: practice.ownerId, _id: caseId, "parties.partyId": theCase.parties[2]?.partyId ?? "" },
    { $set: { "parties.$.leftAt": new Date(Date.now() + 1000), "parties.$.status": "withdrawn" } },
  );
  expect(wordsOf(await theMemorandum(caseId))).toContain("Grace Quill (who has left since)");
});

test("documents.create: the summary, when one was not at the last session, names who came to it, and a text of before is not finished", async () => {
  const { theCase, caseId, only } = await ofThree();
  await allMediated(practice, theCase);
  await allMediated(practice, only(0, 1));
  const { items } = await practice.api.documentTemplates.list.query({ kind: "session_summary" });
  const summary = aDocument(practice, { caseId, templateId: items[0]?.id ?? "", privilege: "without_prejudice" });
  expect(wordsOf(await summary)).toContain("to which Ada Heron and Ben Heron came.");
  const said = doc(para("This is a short record of what you talked about on ", field("case.lastSession"), "."));
  const templateId = await aTemplateOf(practice, said, { kind: "session_summary" });
  const before = await aDocument(practice, { caseId, templateId, privilege: "without_prejudice" });
  expect((await refusal(finish(before))).message).toContain("P3 did not come to it");
});

test("documents.finish: that they were encouraged to take advice, when the outcome says that they were not told, is not finished", async () => {
  const { theCase, caseId } = await ofThree();
  await allMediated(practice, theCase);
  const said = doc(para("Each was encouraged to take independent legal advice."));
  const tell = (isAdviceTold: boolean) =>
    CaseModel.updateOne(
      { _id: caseId, ownerId: practice.ownerId },
      { $set: { outcome: { code: "not_agreed", issues: [], documents: [], narrative: "", isAdviceTold } } },
    );
  await tell(false);
  expect((await refusal(finish(await begin(caseId, said)))).message).toContain("says that they were not told");
  await tell(true);
  expect((await finish(await begin(caseId, said))).status).toBe("finished");
  expect(wordsOf(await theMemorandum(caseId))).toContain("Each of them was told to take independent legal advice.");
});

test("documents.finish: an agreement that says that the mediator met each alone, when nobody was met, is not finished", async () => {
  const { caseId } = await ofThree();
  const said = doc(para("The mediator has met each of you alone."));
  const draft = await begin(caseId, said, "agreement_to_mediate");
  expect((await refusal(finish(draft))).message).toContain("no meeting with P1 alone is recorded");
});
