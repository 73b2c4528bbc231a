// What two of three parties have together goes to the third only with the consent of each of the two.
import { Readable } from "node:stream";
import { newId } from "@app/server/core/ids";
import { storeFile } from "@app/server/features/files/files.service";
import { addDays } from "@app/shared/days";
import { NO_MARK } from "@app/shared/files";
import type { Consent } from "@app/shared/notes";
import { richTextOf } from "@app/shared/rich-text";
import { SHARED, type Visibility } from "@app/shared/visibility";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { TODAY } from "../support/server/led.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { aClient, aPractice, scopeOf } from "../support/server/people.ts";
import { aSignedCase } from "../support/server/signed.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
const built = forEachTest(async () => {
  const { theCase, p1, p2 } = await aSignedCase(practice, "kept");
  const { id: clientId } = await practice.api.clients.create.mutate(aClient({ email: "", phones: [] }));
  const { id, version } = await practice.api.cases.get.query({ id: theCase.id });
  const party = { clientId, role: "participant" as const, side: "" };
  const { parties } = await practice.api.casework.addParty.mutate({ id, version, changeId: newId(), party });
  return { caseId: id, p1: p1.partyId, p2: p2.partyId, p3: parties.at(-1)?.partyId ?? "" };
});

const grant = (grantedByPartyId: string, at = new Date().toISOString()) => ({ grantedByPartyId, at, how: "By phone" });
type Release = (consent: Consent) => Promise<{ consent: Consent | null } | undefined>;
const confided = (): Visibility => ({ scope: "staff", partyIds: [], aboutPartyIds: [built.p1, built.p2] });

async function aFile(visibility: Visibility): Promise<Release> {
  const { caseId } = built;
  const content = Readable.from([Buffer.from(newId())]);
  const file = { clientId: null, caseId, name: "offer.txt", visibility, mark: NO_MARK };
  const { id } = await storeFile(scopeOf(practice.ownerId), content, file);
  return (consent) => practice.api.files.release.mutate({ id, newId: newId(), readers: SHARED, consent });
}

const KEPT: Record<string, () => Promise<Release>> = {
  "a file in their confidence": () => aFile(confided()),
  "a file for both": () => aFile({ scope: "party", partyIds: [built.p1, built.p2], aboutPartyIds: [] }),
  "a note": async () => {
    const body = richTextOf("They would sell");
    const place = { caseId: built.caseId, clientId: null };
    const note = { id: newId(), kind: "caucus" as const, body, ...place, visibility: confided() };
    const { id } = await practice.api.notes.create.mutate(note);
    return (consent) => practice.api.notes.release.mutate({ id, newId: newId(), body, consent });
  },
  "a proposal": async () => {
    const { id } = await practice.api.sessions.create.mutate({ id: newId(), caseId: built.caseId, meetingId: null });
    const change = () => ({ id, changeId: newId() });
    const [proposalId, newProposalId] = [newId(), newId()];
    const offer = { issue: "Home", text: "Sell in spring", byPartyId: built.p1, visibility: confided() };
    await practice.api.sessions.addProposal.mutate({
      ...change(),
      ...offer,
      proposalId,
      countersId: null,
      release: null,
    });
    return async (consent) =>
      (
        await practice.api.sessions.releaseProposal.mutate({ ...change(), proposalId, newProposalId, consent })
      ).proposals.find((one) => one.id === newProposalId);
  },
};

test.each(Object.entries(KEPT))(
  "%s of two of three parties, when it is released, then it takes the consent of each, and keeps who gave it and when",
  async (_what, keep) => {
    const release = await keep();
    const { p1, p2, p3 } = built;
    expect((await refusal(release(grant(p1)))).fields).toEqual({
      "consent.others": expect.stringMatching(/each of them has to agree\. Ask P2 too/),
    });
    const of = (others: Consent["others"] & object) => refusal(release({ ...grant(p1), others }));
    expect((await of([grant(p2), grant(p3)])).fields).toHaveProperty(["consent.others.1.grantedByPartyId"]);
    expect((await of([grant(p2), grant(p1)])).fields).toHaveProperty(["consent.others"]);
    const old = `${addDays(TODAY, -2)}T10:00:00.000Z`;
    expect((await of([grant(p2, old)])).fields).toEqual({
      "consent.others.0.at": expect.stringContaining("older than what is to be shared"),
    });
    expect((await release({ ...grant(p1), others: [grant(p2)] }))?.consent).toMatchObject({
      grantedByPartyId: p1,
      others: [{ grantedByPartyId: p2, how: "By phone" }],
    });
    const shown = await practice.api.partyView.preview.query({ caseId: built.caseId, partyId: p3 });
    expect(shown.items.filter(({ kind }) => kind !== "meeting")).toHaveLength(1);
  },
);

test.each(Object.entries(KEPT))(
  "%s: when somebody joined, or came back, after the consent to its release, then it takes a newer one",
  async (_what, keep) => {
    const release = await keep();
    const { p1, p2 } = built;
    const agreed = new Date().toISOString();
    const { id, version } = await practice.api.cases.get.query({ id: built.caseId });
    const { id: clientId } = await practice.api.clients.create.mutate(aClient({ email: "", phones: [] }));
    const party = { clientId, role: "participant" as const, side: "" };
    await practice.api.casework.addParty.mutate({ id, version, changeId: newId(), party });
    const both = (at?: string) => ({ ...grant(p1, at), others: [grant(p2, at)] });
    expect((await refusal(release(both(agreed)))).fields).toEqual({
      "consent.at": expect.stringContaining("P4 came into the case after this consent"),
    });
    expect(await release(both())).toMatchObject({ consent: { grantedByPartyId: p1 } });
  },
);

test("files.release: what was released before somebody joined goes to them too, with a newer consent", async () => {
  const release = await KEPT["a file in their confidence"]?.();
  const { p1, p2 } = built;
  const both = () => ({ ...grant(p1), others: [grant(p2)] });
  await release?.(both());
  const { id, version } = await practice.api.cases.get.query({ id: built.caseId });
  const { id: clientId } = await practice.api.clients.create.mutate(aClient({ email: "", phones: [] }));
  const party = { clientId, role: "participant" as const, side: "" };
  await practice.api.casework.addParty.mutate({ id, version, changeId: newId(), party });
  expect(await release?.(both())).toMatchObject({ consent: { grantedByPartyId: p1 } });
  expect(await refusal(release?.(both()) ?? Promise.resolve())).toMatchObject({ code: "CONFLICT" });
});

test("sessions.addProposal: what somebody said in confidence, when it is offered, is offered by them and by nobody else", async () => {
  const { caseId, p1, p2 } = built;
  const { id } = await practice.api.sessions.create.mutate({ id: newId(), caseId, meetingId: null });
  const visibility: Visibility = { scope: "staff", partyIds: [], aboutPartyIds: [p1] };
  const note = { id: newId(), kind: "caucus" as const, body: richTextOf("I would take 5,000"), caseId, clientId: null };
  const { id: noteId } = await practice.api.notes.create.mutate({ ...note, visibility });
  const offer = (byPartyId: string, more: object) =>
    practice.api.sessions.addProposal.mutate({
      id,
      changeId: newId(),
      proposalId: newId(),
      issue: "Money",
      text: "5,000",
      countersId: null,
      release: null,
      visibility,
      byPartyId,
      ...more,
    });
  const released = { visibility: SHARED, release: { noteId, consent: grant(p1) } };
  const refused = { fields: { byPartyId: expect.stringContaining("in confidence by somebody else") } };
  for (const other of [p2, "joint"]) expect(await refusal(offer(other, released))).toMatchObject(refused);
  expect(await refusal(offer(p2, {}))).toMatchObject(refused);
  expect((await offer(p1, released)).proposals).toHaveLength(1);
});

test("a release at the moment in which somebody joins, whichever comes first, is not read by them", async () => {
  const { caseId, p1, p2 } = built;
  const release = await KEPT["a file in their confidence"]?.();
  const note = await KEPT["a note"]?.();
  const consent = { ...grant(p1), others: [grant(p2)] };
  const { id, version } = await practice.api.cases.get.query({ id: caseId });
  const { id: clientId } = await practice.api.clients.create.mutate(aClient({ email: "", phones: [] }));
  const party = { clientId, role: "participant" as const, side: "" };
  const joining = practice.api.casework.addParty.mutate({ id, version, changeId: newId(), party });
  const [joined] = await Promise.all([
    joining,
    refusal(release?.(consent) ?? joining),
    refusal(note?.(consent) ?? joining),
  ]);
  const partyId = joined.parties.at(-1)?.partyId ?? "";
  expect((await practice.api.partyView.preview.query({ caseId, partyId })).items).toEqual([]);
});
