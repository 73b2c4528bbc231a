// What a party gets of a proposal that was withdrawn, by each way: the preview, the record and the summary.
import { newId } from "@app/server/core/ids";
import { richTextOf } from "@app/shared/rich-text";
import { caucusOf, MEDIATOR_ONLY, SHARED } from "@app/shared/visibility";
import { beforeEach, expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { allCame } from "../support/server/came.ts";
import { aCase, aPractice, aStaffUser } from "../support/server/people.ts";
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
  await allCame(practice, sessionId, [built.p1, built.p2]);
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
const move = (proposalId: string, to: "offered" | "withdrawn" | "agreed_in_principle") =>
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

test.each(Object.entries(RELEASES))(
  "S72: a release of %s, when it is withdrawn, then it is kept from the same colleagues as what it came from",
  async (_what, release) => {
    const id = await release();
    const plain = await aStaffUser(app, practice, { permissions: ["clients.read"] });
    const seen = async () => JSON.stringify(await plain.api.sessions.get.query({ id: sessionId }));
    expect(await seen()).toContain("heronoffer");
    await move(id, "withdrawn");
    expect(await seen()).not.toContain("heronoffer");
    const again = plain.api.sessions.setProposalStatus.mutate({ ...change(), proposalId: id, to: "offered" });
    expect(await refusal(again)).not.toBeNull();
  },
);

test("S72: a release of what only mediators read, when it is withdrawn, then again only they read it", async () => {
  const kept = { ...proposal(), visibility: { ...MEDIATOR_ONLY, aboutPartyIds: [built.p1.partyId] }, release: null };
  await practice.api.sessions.addProposal.mutate(kept);
  const newProposalId = newId();
  const release = { ...change(), proposalId: kept.proposalId, newProposalId, consent: consentOf() };
  await practice.api.sessions.releaseProposal.mutate(release);
  await move(newProposalId, "withdrawn");
  const other = await aStaffUser(app, practice, { permissions: ["clients.read", "notes.private.read"] });
  expect(JSON.stringify(await other.api.sessions.get.query({ id: sessionId }))).not.toContain("heronoffer");
});

test("S72: an offer in confidence that was released, when the offer itself is withdrawn, then its release goes with it", async () => {
  await RELEASES["a proposal in confidence"]?.();
  const { proposals } = await practice.api.sessions.get.query({ id: sessionId });
  const kept = proposals.find(({ releasedFromId }) => releasedFromId === null);
  expect(await told()).toContain("heronoffer");
  await move(kept?.id ?? "", "withdrawn");
  expect(await told()).not.toContain("heronoffer");
});

/** An offer in confidence, and what may become of it. */
async function keptOffer() {
  const offer = { ...proposal(), visibility: caucusOf(built.p1.partyId), release: null };
  await practice.api.sessions.addProposal.mutate(offer);
  const release = async (consent = consentOf()) => {
    const newProposalId = newId();
    const call = { ...change(), proposalId: offer.proposalId, newProposalId, consent };
    await practice.api.sessions.releaseProposal.mutate(call);
    return newProposalId;
  };
  const replace = () =>
    practice.api.sessions.addProposal.mutate({ ...offer, ...proposal(), text: "other", countersId: offer.proposalId });
  return { id: offer.proposalId, release, replace };
}
const OLDER = { fields: { "consent.at": expect.stringContaining("older than what is to be shared") } };

test.each(Object.entries(RELEASES))(
  "a release of %s, when it is withdrawn, then it takes a newer consent to release it again",
  async (what, release) => {
    const first = await release();
    const { proposals } = await practice.api.sessions.get.query({ id: sessionId });
    const { consent, releasedFromId } = proposals.find(({ id }) => id === first) ?? {};
    if (!consent || !releasedFromId) throw new Error("the release says nothing of where it comes from");
    await move(first, "withdrawn");
    const again = (at: typeof consent) =>
      what === "a caucus note"
        ? practice.api.sessions.addProposal.mutate({
            ...proposal(),
            visibility: SHARED,
            release: { noteId: releasedFromId, consent: at },
          })
        : practice.api.sessions.releaseProposal.mutate({
            ...change(),
            proposalId: releasedFromId,
            newProposalId: newId(),
            consent: at,
          });
    expect(await refusal(again(consent))).toMatchObject(OLDER);
    expect(await told()).not.toContain("heronoffer");
    await again(consentOf());
    expect(await told()).toContain("heronoffer");
  },
);

test("sessions.releaseProposal: an offer that another one replaced is not released; offered again, it takes a consent from after that", async () => {
  const { id, release, replace } = await keptOffer();
  const early = consentOf();
  await replace();
  expect(await refusal(release())).toMatchObject({ code: "PRECONDITION_FAILED" });
  await move(id, "offered");
  expect(await refusal(release(early))).toMatchObject(OLDER);
  await release();
  expect(await told()).toContain("heronoffer");
});

test("sessions.addProposal: when it replaces an offer that was released, then its release stands no more, and nobody accepts that", async () => {
  const { release, replace } = await keptOffer();
  const released = await release();
  await replace();
  const { proposals } = await practice.api.sessions.get.query({ id: sessionId });
  // That there is a newer one in confidence is not said.
  expect(proposals.find(({ id }) => id === released)).toMatchObject({ status: "withdrawn" });
  expect(await refusal(move(released, "agreed_in_principle"))).toMatchObject({ code: "PRECONDITION_FAILED" });
});

test("sessions.setProposalStatus: a release of an offer that was replaced is offered again only with that, by the consent of then", async () => {
  const { id, release, replace } = await keptOffer();
  const released = await release();
  await replace();
  expect(await refusal(move(released, "offered"))).toMatchObject({
    code: "PRECONDITION_FAILED",
    message: expect.stringContaining("Release the newer offer"),
  });
  await move(id, "offered");
  expect(await refusal(move(released, "offered"))).toMatchObject({
    code: "PRECONDITION_FAILED",
    message: expect.stringContaining("with a newer consent"),
  });
  await move(await release(), "agreed_in_principle");
});

test("sessions.setProposalStatus: a release that was itself answered by another offer is offered again while its offer stands", async () => {
  const { release } = await keptOffer();
  const released = await release();
  const answer = {
    ...proposal(),
    byPartyId: built.p2.partyId,
    countersId: released,
    visibility: SHARED,
    release: null,
  };
  await practice.api.sessions.addProposal.mutate(answer);
  await move(released, "offered");
  await move(released, "agreed_in_principle");
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
