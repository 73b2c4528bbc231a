// S72: what was said in a caucus is read by no party, and let out once, with consent.
import { createLogger } from "@app/server/core/logger";
import { newId } from "@app/server/core/ids";
import { MIGRATIONS } from "@app/server/migrations";
import { PERMISSIONS } from "@app/shared/access";
import { NOTE_KINDS } from "@app/shared/notes";
import { richTextOf } from "@app/shared/rich-text";
import { caucusOf, forParty, SHARED, type Visibility } from "@app/shared/visibility";
import mongoose from "mongoose";
import { beforeEach, expect, test } from "vitest";
import { allCame } from "../support/server/came.ts";
import { aCase, aPractice, aStaffUser, type Api } from "../support/server/people.ts";
import { toldToParty } from "../support/visibility/party-record.ts";
import { refusal } from "../support/access/refusal.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";

let sessionId: string;
const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
const built = forEachTest(() => aCase(practice));
beforeEach(async () => {
  const place = { id: newId(), caseId: built.theCase.id, meetingId: null };
  sessionId = (await practice.api.sessions.create.mutate(place)).id;
});

type Kind = (typeof NOTE_KINDS)[number];
const aNote = (visibility: Visibility, kind: Kind = "caucus", text = "heronsecret") => ({
  id: newId(),
  kind,
  visibility,
  body: richTextOf(text),
});
const inCase = () => ({ caseId: built.theCase.id, clientId: null });
const aProposal = (visibility: Visibility, text = "heronsecret") => ({
  id: sessionId,
  changeId: newId(),
  proposalId: newId(),
  issue: "Home",
  text,
  byPartyId: built.p1.partyId,
  visibility,
  countersId: null,
  release: null,
});
const stored = (name: string) => mongoose.connection.collection<{ _id: string; [field: string]: unknown }>(name);
const told = (party = built.p1) => toldToParty(app, practice, built.theCase.id, party);

test.each(["p1", "p2"] as const)(
  "S72: a caucus note, when it is written for the eyes of %s whose it is, then it is refused; another kind may be",
  async (whose) => {
    const { api } = practice;
    const visibility = forParty(built[whose].partyId);
    for (const attempt of [
      api.notes.create.mutate({ ...aNote(visibility), ...inCase() }),
      api.sessions.addNote.mutate({ sessionId, note: aNote(visibility) }),
    ])
      expect(Object.values((await refusal(attempt)).fields).join()).toContain(
        "No party reads what was said in confidence",
      );
    expect(await told(built[whose])).not.toContain("heronsecret");
    await api.notes.create.mutate({ ...aNote(visibility, "file_note", "wrenforthem"), ...inCase() });
    expect(await told(built[whose])).toContain("wrenforthem");
  },
);

test.each(["p1", "p2"] as const)(
  "S72: a proposal in confidence, when it is made for the eyes of %s whose it is, then it is refused and not stored",
  async (whose) => {
    const proposal = aProposal(forParty(built[whose].partyId));
    const { fields } = await refusal(practice.api.sessions.addProposal.mutate(proposal));
    expect(Object.values(fields).join()).toContain("No party reads a proposal in confidence");
    expect((await practice.api.sessions.get.query({ id: sessionId })).proposals).toEqual([]);
  },
);

const consentOf = (grantedByPartyId: string) => ({
  grantedByPartyId,
  at: new Date().toISOString(),
  how: "In the room",
});

/** As it could be stored before. */
async function storedAsShown() {
  const { api } = practice;
  const visibility = forParty(built.p1.partyId);
  const { id } = await api.notes.create.mutate({
    ...aNote(caucusOf(built.p1.partyId), "caucus", "heronnote"),
    ...inCase(),
  });
  await stored("notes").updateOne({ _id: id }, { $set: { visibility } });
  await stored("history").updateMany(
    { subjectId: id },
    { $set: { "visibility.scope": "staff", "visibility.aboutPartyIds": [] } },
  );
  const kept = aProposal(caucusOf(built.p1.partyId), "heronproposal");
  const open = aProposal({ scope: "party", partyIds: [built.p1.partyId], aboutPartyIds: [] }, "openproposal");
  for (const proposal of [kept, open]) await api.sessions.addProposal.mutate(proposal);
  await stored("sessions").updateOne({ _id: sessionId }, { $set: { "proposals.0.visibility": visibility } });
  return { noteId: id, proposalId: kept.proposalId };
}

async function migrate() {
  const steps = MIGRATIONS.filter(({ name }) => name.endsWith("that no party reads"));
  expect(steps).toHaveLength(2);
  for (const { run } of [...steps, ...steps]) await run(createLogger("silent"));
}

test("S72: what was said in a caucus and stored for a party's eyes, when it is migrated, then only who reads caucuses reads it", async () => {
  const permissions = PERMISSIONS.filter((each) => each !== "notes.private.read" && each !== "assigned_only");
  const { api } = await aStaffUser(app, practice, { permissions });
  const { noteId, proposalId } = await storedAsShown();
  const readBy = async (person: Api) => {
    const notes = await person.notes.list.query({ caseId: built.theCase.id, page: 1, search: "" });
    const { proposals } = await person.sessions.get.query({ id: sessionId });
    const lines = await person.timeline.list.query({ caseId: built.theCase.id, page: 1 });
    return JSON.stringify([notes, proposals, lines]);
  };
  expect(await told()).toMatch(/heron/);
  await migrate();
  expect(await told()).not.toMatch(/heron|caucus/);
  expect(await told()).toContain("openproposal");
  expect(await readBy(api)).not.toMatch(/heron|Separate meeting/);
  expect(await readBy(practice.api)).toMatch(/heronnote.*heronproposal.*Separate meeting note added/s);
  const caucus = caucusOf(built.p1.partyId);
  expect((await practice.api.notes.get.query({ id: noteId })).visibility).toEqual(caucus);
  const { proposals } = await practice.api.sessions.get.query({ id: sessionId });
  expect(proposals.find(({ id }) => id === proposalId)?.visibility).toEqual(caucus);
});

test("S72: what was migrated, when its party consents, then it is released as before", async () => {
  const { noteId, proposalId } = await storedAsShown();
  await migrate();
  const { api } = practice;
  const consent = consentOf(built.p1.partyId);
  await api.notes.release.mutate({ id: noteId, newId: newId(), body: richTextOf("lettoutnote"), consent });
  const change = { id: sessionId, changeId: newId(), proposalId, newProposalId: newId(), consent };
  await api.sessions.releaseProposal.mutate(change);
  expect(await told(built.p2)).toMatch(/heronproposal/);
  expect(await told(built.p2)).toMatch(/lettoutnote/);
  expect(await told(built.p2)).not.toMatch(/heronnote/);
});

async function inConfidence() {
  const proposal = aProposal(caucusOf(built.p1.partyId));
  await practice.api.sessions.addProposal.mutate(proposal);
  return proposal.proposalId;
}
const release = (api: Api, proposalId: string, newProposalId = newId()) =>
  api.sessions.releaseProposal.mutate({
    id: sessionId,
    changeId: newId(),
    proposalId,
    newProposalId,
    consent: consentOf(built.p1.partyId),
  });
const releasesOf = async (id: string) =>
  (await practice.api.sessions.get.query({ id: sessionId })).proposals.filter(
    ({ releasedFromId }) => releasedFromId === id,
  );

test("S72: a proposal that was released, when it is released again under another id, then that is refused and says why", async () => {
  const proposalId = await inConfidence();
  const colleague = await aStaffUser(app, practice, { role: 2 });
  const { proposals } = await release(practice.api, proposalId);
  expect(await refusal(release(practice.api, proposalId))).toMatchObject({
    code: "CONFLICT",
    message: expect.stringContaining("released already"),
  });
  expect(await refusal(release(colleague.api, proposalId))).toMatchObject({ code: "FORBIDDEN" });
  expect(await releasesOf(proposalId)).toEqual(proposals.slice(1));
});

test.each(["agreed_in_principle", "countered"] as const)(
  "S72: a released proposal, when it is %s, then its release stands",
  async (to) => {
    const proposalId = await inConfidence();
    const newProposalId = newId();
    await release(practice.api, proposalId, newProposalId);
    if (to === "countered")
      await practice.api.sessions.addProposal.mutate({ ...aProposal(SHARED, "another"), countersId: newProposalId });
    else {
      await allCame(practice, sessionId, [built.p1, built.p2]);
      const change = { id: sessionId, changeId: newId(), proposalId: newProposalId, to };
      await practice.api.sessions.setProposalStatus.mutate(change);
    }
    expect((await refusal(release(practice.api, proposalId))).code).toBe("CONFLICT");
    expect(await releasesOf(proposalId)).toHaveLength(1);
  },
);

test("S72: a released proposal, when its party answers the first one in confidence, then what was released says only that it stands no more", async () => {
  const proposalId = await inConfidence();
  const newProposalId = newId();
  await release(practice.api, proposalId, newProposalId);
  const { proposals } = await practice.api.sessions.get.query({ id: sessionId });
  const first = proposals.find(({ id }) => id === proposalId);
  if (!first) throw new Error("the proposal is missing");
  await practice.api.sessions.addProposal.mutate({ ...aProposal(first.visibility, "another"), countersId: proposalId });
  expect((await releasesOf(proposalId)).map(({ status }) => status)).toEqual(["withdrawn"]);
});

test("S72: a release that was withdrawn, when its party consents anew, then it is released again, and once", async () => {
  const proposalId = await inConfidence();
  const newProposalId = newId();
  await release(practice.api, proposalId, newProposalId);
  const change = { id: sessionId, changeId: newId(), proposalId: newProposalId, to: "withdrawn" as const };
  await practice.api.sessions.setProposalStatus.mutate(change);
  await release(practice.api, proposalId);
  expect((await refusal(release(practice.api, proposalId))).code).toBe("CONFLICT");
  expect((await releasesOf(proposalId)).map(({ status }) => status)).toEqual(["withdrawn", "offered"]);
});

test("S76: a proposal, when two people release it at once five times each, then it is released once", async () => {
  const proposalId = await inConfidence();
  const colleague = await aStaffUser(app, practice, { role: 2 });
  const tries = Array.from({ length: 10 }, (_, index) => release((index % 2 ? practice : colleague).api, proposalId));
  const ends = await Promise.allSettled(tries);
  expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await releasesOf(proposalId)).toHaveLength(1);
});
