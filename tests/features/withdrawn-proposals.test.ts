// What a party gets of a proposal that was withdrawn, by each way: the preview, the record and the summary.
import { newId } from "@app/server/core/ids";
import { richTextOf } from "@app/shared/rich-text";
import { caucusOf, SHARED } from "@app/shared/visibility";
import { beforeEach, expect, test } from "vitest";
import { aCase, aPractice } from "../support/server/people.ts";
import { toldToParty } from "../support/visibility/party-record.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";

let sessionId: string;
const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
const built = forEachTest(() => aCase(practice));
beforeEach(async () => {
  sessionId = (await practice.api.sessions.create.mutate({ id: newId(), caseId: built.theCase.id, meetingId: null }))
    .id;
});

const change = () => ({ id: sessionId, changeId: newId() });
const consentOf = () => ({ grantedByPartyId: built.p1.partyId, at: new Date().toISOString(), how: "In the room" });
const proposal = () => ({
  ...change(),
  proposalId: newId(),
  issue: "Home",
  text: "heronoffer",
  byPartyId: built.p1.partyId,
  countersId: null,
});
const move = (proposalId: string, to: "withdrawn" | "agreed_in_principle") =>
  practice.api.sessions.setProposalStatus.mutate({ ...change(), proposalId, to });

async function told(party = built.p2): Promise<string> {
  const { partyId } = party;
  const summary = await practice.api.sessions.partySummary.query({ id: sessionId, partyId });
  return `${await toldToParty(app, practice, built.theCase.id, party)} ${JSON.stringify(summary).toLowerCase()}`;
}

/** Each way to let something out of a confidence as a proposal. */
const RELEASES: Record<string, () => Promise<string>> = {
  "a proposal in confidence": async () => {
    const kept = { ...proposal(), visibility: caucusOf(built.p1.partyId), release: null };
    await practice.api.sessions.addProposal.mutate(kept);
    const newProposalId = newId();
    const release = { ...change(), proposalId: kept.proposalId, newProposalId, consent: consentOf() };
    await practice.api.sessions.releaseProposal.mutate(release);
    return newProposalId;
  },
  "a caucus note": async () => {
    const note = { id: newId(), kind: "caucus" as const, body: richTextOf("Said apart") };
    const place = { caseId: built.theCase.id, clientId: null };
    const kept = { ...note, ...place, visibility: caucusOf(built.p1.partyId) };
    const { id: noteId } = await practice.api.notes.create.mutate(kept);
    const released = { ...proposal(), visibility: SHARED, release: { noteId, consent: consentOf() } };
    await practice.api.sessions.addProposal.mutate(released);
    return released.proposalId;
  },
};

test.each(Object.entries(RELEASES))(
  "S72: a release of %s, when it is withdrawn, then no way to the other party shows it any more",
  async (_what, release) => {
    const id = await release();
    expect(await told()).toContain("heronoffer");
    await move(id, "withdrawn");
    expect(await told()).not.toContain("heronoffer");
    const { proposals } = await practice.api.sessions.get.query({ id: sessionId });
    expect(proposals.find((one) => one.id === id)).toMatchObject({ text: "heronoffer", status: "withdrawn" });
  },
);

test("S72: an offer in confidence that was released, when the offer itself is withdrawn, then its release goes with it", async () => {
  await RELEASES["a proposal in confidence"]?.();
  const { proposals } = await practice.api.sessions.get.query({ id: sessionId });
  const kept = proposals.find(({ releasedFromId }) => releasedFromId === null);
  expect(await told()).toContain("heronoffer");
  await move(kept?.id ?? "", "withdrawn");
  expect(await told()).not.toContain("heronoffer");
});

test("partyView.preview and the record: an offer made openly, when it is withdrawn or agreed, then they say so", async () => {
  const [withdrawn, agreed, open] = [
    { ...proposal(), issue: "Pension" },
    { ...proposal(), issue: "Car" },
    { ...proposal(), issue: "Dog" },
  ];
  for (const offer of [withdrawn, agreed, open])
    await practice.api.sessions.addProposal.mutate({ ...offer, visibility: SHARED, release: null });
  await move(withdrawn.proposalId, "withdrawn");
  await move(agreed.proposalId, "agreed_in_principle");
  for (const party of [built.p1, built.p2]) {
    const text = await toldToParty(app, practice, built.theCase.id, party);
    // Once in the preview, once in the record.
    expect(text.split("proposal (withdrawn, without prejudice): pension")).toHaveLength(3);
    expect(text.split("proposal (accepted in principle, without prejudice): car")).toHaveLength(3);
    expect(text.split("proposal (without prejudice): dog")).toHaveLength(3);
  }
});
