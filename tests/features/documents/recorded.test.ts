// A draft is finished only while it says what is recorded now of the finances and of the proposals.
import { newId } from "@app/server/core/ids";
import { doubtsIn } from "@app/server/features/documents/recorded-rows";
import type { DocumentBlock, DocumentContent } from "@app/shared/document-content";
import type { RepeatOver } from "@app/shared/document-fields";
import type { DocumentKind } from "@app/shared/document-kind-list";
import { SHARED } from "@app/shared/visibility";
import mongoose from "mongoose";
import { describe, expect, test } from "vitest";
import { refusal } from "../../support/access/refusal.ts";
import { aDocument, allMediated, aTemplateOf, everybodySigned } from "../../support/documents/case-documents.ts";
import { doc, field, para } from "../../support/documents/content.ts";
import { aFigure, enter, exchange, financesOf, TODAY } from "../../support/finances/disclosed.ts";
import { cameTo } from "../../support/server/came.ts";
import { forAllTests, forEachTest } from "../../support/server/lifetimes.ts";
import { aCase, aPractice } from "../../support/server/people.ts";
import { startTestApp } from "../../support/server/test-app.ts";

const app = forAllTests(() => startTestApp());
const practice = forEachTest(() => aPractice(app));
const built = forEachTest(() => aCase(practice, { domain: "family" }));
const caseId = () => built.theCase.id;

/** A table with a row for each, that has these columns. */
const eachRow = (over: RepeatOver, ...paths: string[]): DocumentBlock => ({
  type: "repeat",
  attrs: { over },
  content: [
    {
      type: "table",
      content: [
        {
          type: "tableRow",
          content: paths.map((path) => ({
            type: "tableCell" as const,
            attrs: { colspan: 1, rowspan: 1, colwidth: null },
            content: [para(field(path))],
          })),
        },
      ],
    },
  ],
});

const STATEMENT = doc(
  eachRow("finances.accounts", "each.thing", "each.value"),
  eachRow("finances.totals", "each.thing", "each.value"),
);
const MEMORANDUM = doc(eachRow("proposals.agreed", "each.proposalAbout", "each.proposal", "each.proposalAgreedOn"));

async function begin(content: DocumentContent, kind: DocumentKind) {
  const templateId = await aTemplateOf(practice, content, { kind });
  const privilege = kind === "ofs" ? "open" : "without_prejudice";
  return aDocument(practice, { caseId: caseId(), templateId, privilege, name: "The paper" });
}

const finish = ({ id, version }: { id: string; version: number }) =>
  practice.api.documents.finish.mutate({ id, version });

/** Figures of both, exchanged; the first of them as both agree it. */
async function exchanged() {
  await everybodySigned(practice, caseId());
  const figure = await enter(practice, caseId(), built.p1.partyId, { label: "Calder" });
  await enter(practice, caseId(), built.p2.partyId, { label: "Leeds", amountMinor: 50_000 });
  await exchange(practice, caseId());
  for (const { partyId } of built.theCase.parties) {
    const { version } = await financesOf(practice, caseId());
    const agreed = { caseId: caseId(), version, figureIds: [figure.id], partyId, amountMinor: 110_000, on: TODAY() };
    await practice.api.finances.agree.mutate(agreed);
  }
  return figure;
}

describe("a financial statement", () => {
  test("documents.finish: a statement, while it says what is recorded, is finished", async () => {
    await exchanged();
    expect((await finish(await begin(STATEMENT, "ofs"))).status).toBe("finished");
  });

  test("documents.finish: an agreed value, when it was taken back since, is named and not finished", async () => {
    const figure = await exchanged();
    const draft = await begin(STATEMENT, "ofs");
    const { version } = await financesOf(practice, caseId());
    await practice.api.finances.takeBackAgreed.mutate({ caseId: caseId(), version, figureIds: [figure.id] });
    const { message } = await refusal(finish(draft));
    expect(message).toContain("Calder");
    expect(message).toContain("£1,100.00 (agreed)");
    expect(message).toContain("£1,200.00");
    expect(message).not.toContain("Leeds");
  });

  test("documents.finish: a statement, while a changed figure waits for its exchange, is neither finished nor copied", async () => {
    const figure = await exchanged();
    const draft = await begin(STATEMENT, "ofs");
    const done = await finish(await begin(STATEMENT, "ofs"));
    const { id, version } = await practice.api.finances.figure.query({ id: figure.id });
    await practice.api.finances.updateFigure.mutate({ id, version, figure: aFigure({ amountMinor: 900_000 }) });
    expect((await refusal(finish(draft))).message).toContain("not exchanged yet");
    const copy = practice.api.documents.copy.mutate({ id: newId(), documentId: done.id });
    expect((await refusal(copy)).message).toContain("not exchanged yet");
  });

  test("documents.finish: a statement, when a figure was added and exchanged since, is not finished without it", async () => {
    await exchanged();
    const draft = await begin(STATEMENT, "ofs");
    await enter(practice, caseId(), built.p1.partyId, { label: "ISA", category: "savings" });
    await exchange(practice, caseId());
    expect((await refusal(finish(draft))).message).toContain("“ISA”");
  });

  test("finances.setFigureRemoved: a figure that was exchanged, when it is removed, waits for the next exchange", async () => {
    const { id } = await exchanged();
    await practice.api.finances.setFigureRemoved.mutate({ id, isRemoved: true });
    expect((await refusal(begin(STATEMENT, "ofs"))).message).toContain("not exchanged yet");
    await enter(practice, caseId(), built.p1.partyId, { label: "Other" });
    await exchange(practice, caseId());
    expect(JSON.stringify(await begin(STATEMENT, "ofs"))).not.toContain("Calder");
  });

  test("finances.setNone: that there is nothing, when it is said after the exchange, waits for the next one", async () => {
    await exchanged();
    const { version } = await financesOf(practice, caseId());
    const none = { caseId: caseId(), version, partyId: built.p1.partyId, category: "pensions", isNone: true } as const;
    await practice.api.finances.setNone.mutate(none);
    expect((await refusal(begin(STATEMENT, "ofs"))).message).toContain("not exchanged yet");
    await exchange(practice, caseId());
    expect((await begin(STATEMENT, "ofs")).status).toBe("draft");
  });

  test("documents.finish: a figure, when the draft was changed to say another one, is not finished", async () => {
    await exchanged();
    const { id, version, name, content } = await begin(STATEMENT, "ofs");
    const changed: DocumentContent = JSON.parse(JSON.stringify(content).replace('"£500.00"', '"£900.00"'));
    const saved = await practice.api.documents.save.mutate({ id, version, name, content: changed, isRestored: false });
    const { message } = await refusal(finish(saved));
    expect(message).toContain("£900.00");
    expect(message).toContain("£500.00");
  });
});

describe("what was agreed in principle", () => {
  test("documents.finish: a memorandum, when an accepted offer was withdrawn since, is not finished", async () => {
    await everybodySigned(practice, caseId());
    const proposalId = newId();
    const { id } = await practice.api.sessions.create.mutate({ id: newId(), caseId: caseId(), meetingId: null });
    const offer = { issue: "The home", text: "Sell and halve", byPartyId: "joint", visibility: SHARED };
    const added = { ...offer, id, changeId: newId(), proposalId, countersId: null, release: null };
    await practice.api.sessions.addProposal.mutate(added);
    await cameTo(practice, id, [
      [built.p1.partyId, "present"],
      [built.p2.partyId, "present"],
    ]);
    const stands = (to: "agreed_in_principle" | "withdrawn") =>
      practice.api.sessions.setProposalStatus.mutate({ id, changeId: newId(), proposalId, to });
    await stands("agreed_in_principle");
    // As if it had been held days before somebody wrote it up.
    await mongoose.connection
      .collection<{ _id: string }>("sessions")
      .updateOne({ _id: id }, { $set: { status: "ended", startedAt: new Date("2026-11-20T10:00:00Z") } });
    expect(JSON.stringify(await begin(MEMORANDUM, "mou"))).toContain("20 November 2026");
    await allMediated(practice, built.theCase);
    const draft = await begin(MEMORANDUM, "mou");
    expect((await finish(await begin(MEMORANDUM, "mou"))).status).toBe("finished");
    await stands("withdrawn");
    expect((await refusal(finish(draft))).message).toContain("The home");
  });
});

test("documents.look: proposals, when more than one is about the same, are asked about", () => {
  const about = (said: string) =>
    para({ type: "mergeField", attrs: { path: "each.proposalAbout", fallback: "", said } });
  expect(doubtsIn(doc(about("The house"), about("The car")))).toEqual([]);
  expect(doubtsIn(doc(about("The house"), about("The car"), about("The house")))).toEqual([
    expect.stringContaining("“The house”"),
  ]);
});
