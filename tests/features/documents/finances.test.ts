// What documents say of the finances of a case: only what was exchanged, with its source, and no proposals in what is open.
import { newId } from "@app/server/core/ids";
import { dataFor } from "@app/server/features/documents/document-data";
import type { DocumentBlock } from "@app/shared/document-content";
import { linesOf, missingIn } from "@app/shared/document-walk";
import type { WrittenDocument } from "@app/shared/documents";
import { caucusOf, SHARED, type Visibility } from "@app/shared/visibility";
import mongoose from "mongoose";
import { describe, expect, test } from "vitest";
import { refusal } from "../../support/access/refusal.ts";
import { aDocument, aTemplateOf, everybodySigned } from "../../support/documents/case-documents.ts";
import { doc, field, para } from "../../support/documents/content.ts";
import { enter, exchange, financesOf, TODAY } from "../../support/finances/disclosed.ts";
import { aCase, aPractice, scopeOf } from "../../support/server/people.ts";
import { allCame, cameTo } from "../../support/server/came.ts";
import { forAllTests, forEachTest } from "../../support/server/lifetimes.ts";
import { startTestApp } from "../../support/server/test-app.ts";

const app = forAllTests(() => startTestApp());
const practice = forEachTest(() => aPractice(app));
const built = forEachTest(() => aCase(practice, { domain: "family" }));
const caseId = () => built.theCase.id;
const JOINT = { kind: "joint", partyId: null } as const;

type Kind = "ofs" | "mou" | "session_summary";

async function starterOf(kind: Kind): Promise<string> {
  const { items } = await practice.api.documentTemplates.list.query({ kind });
  const [template] = items;
  if (!template) throw new Error("there is no such template");
  return template.id;
}

const begin = async (kind: Kind) =>
  aDocument(practice, {
    caseId: caseId(),
    templateId: await starterOf(kind),
    privilege: kind === "ofs" ? "open" : "without_prejudice",
    name: kind,
  });

/** The rows of a table, each as the words of its cells. */
const tablesIn = ({ content }: WrittenDocument): string[][][] =>
  content.content.flatMap((block) => (block.type === "table" ? [rowsOf(block)] : []));
const rowsOf = ({ content }: Extract<DocumentBlock, { type: "table" }>): string[][] =>
  content.map((row) => row.content.map((cell) => linesOf({ type: "doc", content: cell.content }).join(" ")));

async function disclosed() {
  const { p1, p2 } = built;
  const one = await enter(practice, caseId(), p1.partyId, { owner: "joint", label: "Calder 4411" });
  const other = await enter(practice, caseId(), p2.partyId, {
    owner: "joint",
    label: "Calder joint",
    amountMinor: 100_000,
  });
  await enter(practice, caseId(), p2.partyId, { label: "Own Leedsbank", amountMinor: 70_000 });
  await enter(practice, caseId(), p1.partyId, { category: "pensions", label: "Aviva", amountMinor: 5_000_000 });
  const { version } = await financesOf(practice, caseId());
  const figureIds = [one.id, other.id];
  await practice.api.finances.pair.mutate({ caseId: caseId(), version, figureIds, isPaired: true });
  return figureIds;
}

async function agreed(figureIds: string[]) {
  for (const { partyId } of built.theCase.parties) {
    const { version } = await financesOf(practice, caseId());
    const one = { caseId: caseId(), version, figureIds, partyId, amountMinor: 110_000, on: TODAY() };
    await practice.api.finances.agree.mutate(one);
  }
}

describe("a financial statement", () => {
  test("documents.create: an open statement, when figures are not exchanged, is refused", async () => {
    await everybodySigned(practice, caseId());
    await disclosed();
    expect((await refusal(begin("ofs"))).message).toContain("not exchanged yet");
  });

  test("documents.create: an open statement, when they are, has both, their sources and what does not fit", async () => {
    await everybodySigned(practice, caseId());
    const figureIds = await disclosed();
    await exchange(practice, caseId());
    const open = await begin("ofs");
    expect(missingIn(open.content)).not.toContain("each.value");
    expect(tablesIn(open)[0]?.[1]?.[4]).toBe("Not agreed");
    expect(linesOf(open.content).join("\n")).toMatch(/has different values/);
    await agreed(figureIds);
    const settled = await begin("ofs");
    const [accounts, pensions, totals, questions] = tablesIn(settled);
    const { name: first } = built.p1;
    const { name: second } = built.p2;
    expect(accounts?.map((row) => row.slice(0, 5))).toEqual([
      ["What", "Whose", first, second, "Value"],
      [`Calder 4411 (${second}: Calder joint)`, "Joint", "£1,200.00", "£1,000.00", "£1,100.00 (agreed)"],
      ["Own Leedsbank", second, "–", "£700.00", "£700.00"],
      ["Together", "Joint: £1,100.00", "£0.00", "£700.00", "£1,800.00"],
    ]);
    expect(accounts?.[1]?.[5]).toMatch(
      /^Priya \S+: entered by Ines Marchbank on .+, as of 3 November 2026; Owen \S+: entered by/,
    );
    expect(pensions?.[1]?.[0]).toBe("Aviva");
    expect(totals?.map(([what]) => what)).toEqual(["What", "Bank accounts", "Pensions"]);
    expect(questions?.slice(1).map(([question]) => question)).toContain(
      `${second} has given no figure under pensions.`,
    );
    expect(missingIn(settled.content).filter((path) => !path.startsWith("case."))).toEqual([]);
  });

  test("documents.create: a paper on file, when not everybody may read it, is not named", async () => {
    await everybodySigned(practice, caseId());
    const upload = {
      id: newId(),
      clientId: null,
      caseId: caseId(),
      name: "To my lawyer.txt",
      visibility: { scope: "party" as const, partyIds: [built.p1.partyId], aboutPartyIds: [] },
    };
    const sent = await fetch(`${app.url}/files?upload=${encodeURIComponent(JSON.stringify(upload))}`, {
      method: "POST",
      headers: { cookie: practice.cookies(), "content-type": "application/octet-stream", origin: app.url },
      body: "What was said",
    });
    const { id: evidenceFileId } = await sent.json();
    await enter(practice, caseId(), built.p1.partyId, { evidenceFileId });
    await enter(practice, caseId(), built.p2.partyId);
    await exchange(practice, caseId());
    const words = linesOf((await begin("ofs")).content).join("\n");
    expect(words).toContain("shown by a paper on file");
    expect(words).not.toContain("To my lawyer");
    await practice.api.files.remove.mutate({ ids: [evidenceFileId] });
    expect(linesOf((await begin("ofs")).content).join("\n")).not.toContain("shown by a paper");
  });
});

/** The parts of a document that hold proposals, in a template of somebody's own. */
const PROPOSALS = doc({
  type: "repeat",
  attrs: { over: "proposals.agreed" },
  content: [
    {
      type: "table",
      content: [
        {
          type: "tableRow",
          content: [
            {
              type: "tableCell",
              attrs: { colspan: 1, rowspan: 1, colwidth: null },
              content: [para(field("each.proposal"))],
            },
          ],
        },
      ],
    },
  ],
});

describe("what was proposed", () => {
  const LONG = `Priya keeps the house. ${"Word after word. ".repeat(60)}End.`;

  /** Offered by both together at a session, and accepted where that is said. */
  async function aProposal(status: "offered" | "agreed_in_principle") {
    const proposalId = newId();
    const { id } = await practice.api.sessions.create.mutate({ id: newId(), caseId: caseId(), meetingId: null });
    const proposal = { issue: "The home", text: LONG, byPartyId: "joint", visibility: SHARED, countersId: null };
    await practice.api.sessions.addProposal.mutate({ ...proposal, id, changeId: newId(), proposalId, release: null });
    await cameTo(practice, id, [
      [built.p1.partyId, "present"],
      [built.p2.partyId, "present"],
    ]);
    if (status === "agreed_in_principle")
      await practice.api.sessions.setProposalStatus.mutate({ id, changeId: newId(), proposalId, to: status });
    await held(id, 1);
    return id;
  }

  /** As if it had been held: how that is asked is tried elsewhere. */
  function held(_id: string, daysAgo: number) {
    const [startedAt, endedAt] = [2, 1].map((hours) => new Date(Date.now() - (daysAgo * 24 + hours) * 3_600_000));
    return mongoose.connection
      .collection<{ _id: string }>("sessions")
      .updateOne({ _id }, { $set: { status: "ended", startedAt, endedAt } });
  }

  test("documents.create: the summary of a session has what stands in the last one for all of them, and how it stands", async () => {
    await everybodySigned(practice, caseId());
    // The earlier one is written up after the later one.
    const last = await practice.api.sessions.create.mutate({ id: newId(), caseId: caseId(), meetingId: null });
    const add = (text: string, visibility: Visibility) =>
      practice.api.sessions.addProposal.mutate({
        id: last.id,
        changeId: newId(),
        proposalId: newId(),
        issue: "The car",
        text,
        byPartyId: built.p1.partyId,
        visibility,
        countersId: null,
        release: null,
      });
    await add("Owen keeps the car", SHARED);
    await add("Priya would give up the car", caucusOf(built.p1.partyId));
    await allCame(practice, last.id, built.theCase.parties);
    await held(last.id, 5);
    await held(await aProposal("agreed_in_principle"), 20);
    const words = linesOf((await begin("session_summary")).content).join("\n");
    expect(words).toContain("Owen keeps the car\nPriya");
    expect(words).toContain("Offered");
    expect(words).not.toContain("Priya would give up");
    expect(words).not.toContain("Priya keeps the house");
  });

  test("documents.create: a memorandum has what was agreed in principle, whole, and the agreed values", async () => {
    await everybodySigned(practice, caseId());
    const figureIds = await disclosed();
    await exchange(practice, caseId());
    await agreed(figureIds);
    await aProposal("agreed_in_principle");
    const words = linesOf((await begin("mou")).content).join("\n");
    expect(words).toContain(LONG);
    expect(words).toContain("£1,100.00 (agreed)");
  });

  test("documents.create: what was only offered, when a memorandum is written, is not in it", async () => {
    await everybodySigned(practice, caseId());
    await aProposal("offered");
    expect(linesOf((await begin("mou")).content).join("\n")).not.toContain("Priya keeps the house");
  });

  test.each(["ofs", "letter"] as const)(
    "documents.create: an open document of kind %s, when its template asks for proposals, has none",
    async (kind) => {
      await everybodySigned(practice, caseId());
      await aProposal("agreed_in_principle");
      const templateId = await aTemplateOf(practice, PROPOSALS, { kind });
      const made = await aDocument(practice, { caseId: caseId(), templateId, privilege: "open" });
      expect(JSON.stringify(made)).not.toContain("keeps the house");
      const data = await dataFor(scopeOf(practice.ownerId), built.theCase, {
        addressee: JOINT,
        privilege: "open",
      }).catch(() => ({ repeats: {} }));
      expect(Object.keys(data.repeats)).not.toContain("proposals.agreed");
    },
  );

  test("documents.mark: what holds proposals, when it is to be open, stays without prejudice", async () => {
    await everybodySigned(practice, caseId());
    await aProposal("agreed_in_principle");
    const templateId = await aTemplateOf(practice, PROPOSALS);
    const { id, version } = await aDocument(practice, { caseId: caseId(), templateId, privilege: "without_prejudice" });
    const marked = await refusal(practice.api.documents.mark.mutate({ id, version, privilege: "open" }));
    expect(marked.fields["privilege"]).toContain("without prejudice");
  });
});
