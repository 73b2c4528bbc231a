// S72: whose confidence a file is, and who may read it, only ever grows by a release.
import { newId } from "@app/server/core/ids";
import { createLogger } from "@app/server/core/logger";
import { filesOfSeveral } from "@app/server/features/files/files.migration";
import type { StoredFile } from "@app/shared/files";
import { richTextOf } from "@app/shared/rich-text";
import {
  caucusOf,
  forParty,
  isNoWider,
  mustConsent,
  MEDIATOR_ONLY,
  PRACTICE_ONLY,
  SHARED,
  type Visibility,
} from "@app/shared/visibility";
import mongoose from "mongoose";
import { expect, test } from "vitest";
import { aCase, aCaseInput, aClient, aPractice, aStaffUser } from "../support/server/people.ts";
import { refusal } from "../support/access/refusal.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));

type Built = Awaited<ReturnType<typeof aCase>>;

async function keep({ theCase, first }: Built, visibility: Visibility, name = "papers.txt"): Promise<StoredFile> {
  const input = { id: newId(), name, clientId: first.id, caseId: theCase.id, visibility };
  const response = await fetch(`${app.url}/files?upload=${encodeURIComponent(JSON.stringify(input))}`, {
    method: "POST",
    headers: { origin: app.url, cookie: practice.cookies(), "content-type": "application/octet-stream" },
    body: `content of ${newId()}`,
  });
  expect(response.status).toBe(201);
  return response.json();
}

const kept = async (clientId: string, id: string) =>
  (await practice.api.files.list.query({ clientId })).items.find((file) => file.id === id);

const seenBy = async ({ theCase }: Built, { partyId }: { partyId: string }) =>
  (await practice.api.partyView.preview.query({ caseId: theCase.id, partyId })).items.map(({ id }) => id);

const everyVisibility = ({ p1, p2 }: Built): Visibility[] => [
  PRACTICE_ONLY,
  MEDIATOR_ONLY,
  SHARED,
  caucusOf(p1.partyId),
  caucusOf(p2.partyId),
  forParty(p1.partyId),
  forParty(p2.partyId),
  { scope: "mediator", partyIds: [], aboutPartyIds: [p1.partyId] },
  { scope: "party", partyIds: [p1.partyId, p2.partyId], aboutPartyIds: [] },
  { scope: "party", partyIds: [p2.partyId], aboutPartyIds: [] },
];

test("S72: files.update: from every visibility to every other, it is refused where anybody more could read it", async () => {
  const built = await aCase(practice);
  const all = everyVisibility(built);
  for (const before of all) {
    const { id, name } = await keep(built, before);
    const change = (visibility: Visibility, version = 0) =>
      practice.api.files.update.mutate({ id, name, version, tags: [], visibility });
    for (const after of all.filter((one) => !isNoWider(before, one)))
      expect((await refusal(change(after))).fields).toHaveProperty("visibility");
    const narrower = all.find((one) => one !== before && isNoWider(before, one)) ?? before;
    const confidants = narrower.scope === "party" ? narrower.aboutPartyIds : mustConsent(before);
    expect((await change(narrower)).visibility).toEqual({ ...narrower, aboutPartyIds: confidants });
  }
});

test("S72: files.release: what was for one party's eyes alone, when it was narrowed or moved, still needs their consent", async () => {
  const built = await aCase(practice);
  const { theCase, p1, p2, first } = built;
  const ofOne: Visibility = { scope: "party", partyIds: [p1.partyId], aboutPartyIds: [] };
  const elsewhere = await practice.api.casework.create.mutate(aCaseInput([first.id]));
  const release = (id: string, readers: Visibility) =>
    practice.api.files.release.mutate({ newId: newId(), id, readers, consent: null });
  const move = (id: string, caseId: string | null) =>
    practice.api.files.move.mutate({ ids: [id], clientId: first.id, caseId });
  const narrow = (id: string, name: string, visibility: Visibility) =>
    practice.api.files.update.mutate({ id, name, version: 0, tags: [], visibility });
  for (const readers of [SHARED, { ...ofOne, partyIds: [p2.partyId] }]) {
    for (const narrower of [PRACTICE_ONLY, MEDIATOR_ONLY]) {
      const { id, name } = await keep(built, ofOne);
      await narrow(id, name, narrower);
      expect((await refusal(release(id, readers))).fields).toHaveProperty("consent");
    }
    const { id } = await keep(built, ofOne);
    expect((await refusal(move(id, null))).code).toBe("PRECONDITION_FAILED");
    await move(id, elsewhere.id);
    await move(id, theCase.id);
    expect((await refusal(release(id, readers))).fields).toHaveProperty("consent");
  }
});

test("S72: what is for the eyes of two, when one of them is to be left out, stays theirs together until both agree", async () => {
  const built = await aCase(practice);
  const { p1, p2, theCase } = built;
  const ofBoth: Visibility = { scope: "party", partyIds: [p1.partyId, p2.partyId], aboutPartyIds: [] };
  const file = await keep(built, ofBoth);
  const note = await practice.api.notes.create.mutate({
    id: newId(),
    kind: "file_note",
    body: richTextOf("What both know"),
    caseId: theCase.id,
    clientId: null,
    visibility: ofBoth,
  });
  for (const { partyId } of [p1, p2]) {
    const visibility: Visibility = { ...ofBoth, partyIds: [partyId] };
    const ofFile = { id: file.id, name: file.name, version: 0, tags: [], visibility };
    expect((await refusal(practice.api.files.update.mutate(ofFile))).fields).toHaveProperty("visibility");
    const ofNote = { id: note.id, version: 0, saveId: newId(), visibility };
    expect((await refusal(practice.api.notes.update.mutate(ofNote))).fields).toHaveProperty("visibility");
  }
  await practice.api.files.update.mutate({
    id: file.id,
    name: file.name,
    version: 0,
    tags: [],
    visibility: PRACTICE_ONLY,
  });
  const consent = { grantedByPartyId: p1.partyId, at: new Date().toISOString(), how: "In the room" };
  const release = practice.api.files.release.mutate({ newId: newId(), id: file.id, readers: SHARED, consent });
  expect((await refusal(release)).fields).toHaveProperty(["consent.others"]);
  const others = [{ ...consent, grantedByPartyId: p2.partyId }];
  const agreed = { id: file.id, readers: SHARED, consent: { ...consent, others } };
  const released = await practice.api.files.release.mutate({ newId: newId(), ...agreed });
  expect(released.consent).toMatchObject({ grantedByPartyId: p1.partyId, others });
});

test("S72: files.move: what is for the eyes of two, when it goes to another case of both, is still for both and is listed", async () => {
  const from = await aCase(practice);
  const to = await practice.api.casework.create.mutate(aCaseInput([from.first.id, from.second.id]));
  const { id } = await keep(from, { scope: "party", partyIds: [from.p1.partyId, from.p2.partyId], aboutPartyIds: [] });
  await practice.api.files.move.mutate({ ids: [id], clientId: from.first.id, caseId: to.id });
  const ofBoth = { scope: "party", partyIds: to.parties.map(({ partyId }) => partyId), aboutPartyIds: [] };
  expect((await kept(from.first.id, id))?.visibility).toEqual(ofBoth);
  for (const { partyId } of to.parties) expect(await seenBy({ ...from, theCase: to }, { partyId })).toContain(id);
  // As it was stored once, until the migration.
  const files = mongoose.connection.collection<{ _id: string }>("files");
  await files.updateOne({ _id: id }, { $set: { "visibility.aboutPartyIds": ofBoth.partyIds } });
  await filesOfSeveral(createLogger("silent"));
  expect((await kept(from.first.id, id))?.visibility).toEqual(ofBoth);
});

test("S72: files.move: to another case nothing goes that is another person's, and all else is the practice's there", async () => {
  const from = await aCase(practice);
  for (const before of everyVisibility(from)) {
    const to = await aCase(practice);
    const { id } = await keep(from, before);
    const move = practice.api.files.move.mutate({ ids: [id], clientId: to.first.id, caseId: to.theCase.id });
    if (mustConsent(before).length > 0 || before.scope === "shared") {
      expect((await refusal(move)).code).toBe("PRECONDITION_FAILED");
      expect(await kept(from.first.id, id)).toMatchObject({ visibility: before, caseId: from.theCase.id });
    } else {
      await move;
      const visibility = before.scope === "mediator" ? MEDIATOR_ONLY : PRACTICE_ONLY;
      expect(await kept(to.first.id, id)).toMatchObject({ visibility, caseId: to.theCase.id });
      for (const party of [to.p1, to.p2]) expect(await seenBy(to, party)).not.toContain(id);
    }
  }
});

test("S72: files.move: with its person to another of their cases a confidence stays theirs", async () => {
  const from = await aCase(practice);
  const other = await practice.api.clients.create.mutate(aClient());
  const theCase = await practice.api.casework.create.mutate(aCaseInput([other.id, from.first.id]));
  const same = theCase.parties.find(({ clientId }) => clientId === from.first.id)?.partyId ?? "";
  for (const [before, after] of [
    [caucusOf(from.p1.partyId), caucusOf(same)],
    [forParty(from.p1.partyId), forParty(same)],
  ] as const) {
    const { id } = await keep(from, before);
    await practice.api.files.move.mutate({ ids: [id], clientId: from.first.id, caseId: theCase.id });
    expect((await kept(from.first.id, id))?.visibility).toEqual(after);
  }
});

test("S72: files.move: one that must stay keeps all of them, and out of every case no confidence is lost", async () => {
  const built = await aCase(practice);
  const open = await keep(built, PRACTICE_ONLY);
  const caucus = await keep(built, caucusOf(built.p1.partyId));
  const move = (ids: string[]) => practice.api.files.move.mutate({ ids, clientId: built.first.id, caseId: null });
  expect((await refusal(move([open.id, caucus.id]))).code).toBe("PRECONDITION_FAILED");
  expect(await kept(built.first.id, open.id)).toMatchObject({ caseId: built.theCase.id });
  await move([open.id]);
  expect(await kept(built.first.id, open.id)).toMatchObject({ caseId: null, visibility: PRACTICE_ONLY });
});

test("files.release: what the same parties may read by a release already, is refused until that is taken back", async () => {
  const built = await aCase(practice);
  const caucus = await keep(built, caucusOf(built.p1.partyId));
  const share = () =>
    practice.api.files.release.mutate({
      id: caucus.id,
      newId: newId(),
      readers: SHARED,
      consent: consentOf(built.p1.partyId),
    });
  const { id } = await share();
  expect(await refusal(share())).toMatchObject({ code: "CONFLICT", message: expect.stringContaining("already") });
  await practice.api.files.remove.mutate({ ids: [id] });
  const seen = await practice.api.partyView.preview.query({ caseId: built.theCase.id, partyId: built.p2.partyId });
  expect(JSON.stringify(seen)).not.toContain(id);
});

test("S72: files.move: what was shared or released in one case, also where it was narrowed since, does not leave it for anywhere", async () => {
  const from = await aCase(practice);
  const { p1, first } = from;
  const other = await practice.api.clients.create.mutate(aClient());
  const theCase = await practice.api.casework.create.mutate(aCaseInput([first.id, other.id]));
  const caucus = await keep(from, caucusOf(p1.partyId));
  const release = { id: caucus.id, newId: newId(), readers: SHARED, consent: consentOf(p1.partyId) };
  const released = await practice.api.files.release.mutate(release);
  for (const { id, name, version } of [await keep(from, SHARED), released]) {
    const staysPut = async () => {
      for (const caseId of [theCase.id, null])
        expect(await refusal(practice.api.files.move.mutate({ ids: [id], clientId: first.id, caseId }))).toMatchObject({
          code: "PRECONDITION_FAILED",
          message: expect.stringContaining("was shared with the parties of its case"),
        });
    };
    await staysPut();
    const narrow = (at: number, visibility: Visibility) =>
      practice.api.files.update.mutate({ id, name, version: at, tags: [], visibility });
    await narrow(version, PRACTICE_ONLY);
    await staysPut();
    await narrow(version + 1, MEDIATOR_ONLY);
    await staysPut();
    // Within its case it goes from one client to another.
    const put = { ids: [id], clientId: from.second.id, caseId: from.theCase.id };
    expect(await practice.api.files.move.mutate(put)).toEqual({ changed: 1 });
  }
});

test("S72: files.move: what is for the mediators goes to no case with another mediator", async () => {
  const from = await aCase(practice);
  const other = await aStaffUser(app, practice, { role: 2 });
  const { items } = await practice.api.staff.list.query();
  const userId = items.find(({ email }) => email === other.email)?.id ?? "";
  const to = await aCase(practice, { mediators: [{ userId, isLead: true }] });
  const { id } = await keep(from, MEDIATOR_ONLY);
  const move = practice.api.files.move.mutate({ ids: [id], clientId: to.first.id, caseId: to.theCase.id });
  expect((await refusal(move)).code).toBe("PRECONDITION_FAILED");
});

test("S72: files: deleting and bringing back, renaming and tagging leave the readers as they are", async () => {
  const built = await aCase(practice);
  for (const visibility of everyVisibility(built)) {
    const { id } = await keep(built, visibility);
    await practice.api.files.remove.mutate({ ids: [id] });
    await practice.api.files.restore.mutate({ ids: [id] });
    const renamed = { id, version: 2, name: "renamed.txt", tags: ["evidence"], visibility };
    expect(await practice.api.files.update.mutate(renamed)).toMatchObject({ visibility, tags: ["evidence"] });
  }
});

const consentOf = (partyId: string) => ({
  grantedByPartyId: partyId,
  at: new Date().toISOString(),
  how: "In the room, after she had seen it again",
});

test("S72: files.release: with the party's consent there is a new shared file, and the old one stays in confidence", async () => {
  const built = await aCase(practice);
  const { id } = await keep(built, caucusOf(built.p1.partyId), "valuation.txt");
  const consent = consentOf(built.p1.partyId);
  const release = { id, newId: newId(), readers: SHARED, consent };
  const shared = await practice.api.files.release.mutate(release);
  expect(shared).toMatchObject({
    name: "valuation.txt",
    visibility: SHARED,
    releasedFromId: id,
    consent,
  });
  expect(await practice.api.files.release.mutate(release)).toEqual(shared);
  expect((await kept(built.first.id, id))?.visibility).toEqual(caucusOf(built.p1.partyId));
  const seen = await seenBy(built, built.p2);
  expect(seen).toContain(shared.id);
  expect(seen).not.toContain(id);
  const read = await fetch(`${app.url}/files/${shared.id}`, { headers: { cookie: practice.cookies() } });
  expect(await read.text()).toContain("content of");
});

test("S72: files.release: is refused without the party's own consent, and to fewer or other readers than were agreed", async () => {
  const built = await aCase(practice);
  const { p1, p2 } = built;
  const { id } = await keep(built, caucusOf(p1.partyId));
  const release = (readers: Visibility, consent: ReturnType<typeof consentOf> | null) =>
    refusal(practice.api.files.release.mutate({ id, newId: newId(), readers, consent }));
  expect((await release(SHARED, null)).fields).toHaveProperty("consent");
  expect((await release(SHARED, consentOf(p2.partyId))).fields).toHaveProperty("consent.grantedByPartyId");
  expect((await release(forParty(p2.partyId), consentOf(p1.partyId))).fields).toHaveProperty("readers");
  expect((await release(PRACTICE_ONLY, consentOf(p1.partyId))).fields).toHaveProperty("readers");
  expect(await seenBy(built, p2)).toEqual([]);
});

test("S72: files.release: what was for one party's eyes alone needs that party's consent, and what was for some is not shown to more", async () => {
  const built = await aCase(practice);
  const { p1, p2 } = built;
  const alone = await keep(built, { scope: "party", partyIds: [p1.partyId], aboutPartyIds: [] });
  const some = await keep(built, { scope: "party", partyIds: [p1.partyId, p2.partyId], aboutPartyIds: [] });
  const release = (id: string, consent: ReturnType<typeof consentOf> | null) =>
    practice.api.files.release.mutate({ id, newId: newId(), readers: SHARED, consent });
  expect((await refusal(release(alone.id, null))).fields).toHaveProperty("consent");
  expect((await refusal(release(alone.id, consentOf(p2.partyId)))).fields).toHaveProperty("consent.grantedByPartyId");
  for (const { partyId } of [p1, p2])
    expect((await refusal(release(some.id, consentOf(partyId)))).fields).toHaveProperty("consent.others");
  expect((await release(alone.id, consentOf(p1.partyId))).visibility).toEqual(SHARED);
});

test("S72: files.release: a consent from before the file had its name is refused", async () => {
  const built = await aCase(practice);
  const { id, version } = await keep(built, caucusOf(built.p1.partyId), "one.txt");
  const consent = consentOf(built.p1.partyId);
  await practice.api.files.update.mutate({
    id,
    version,
    name: "Owen hides money.txt",
    tags: [],
    visibility: caucusOf(built.p1.partyId),
  });
  const release = (at: string) =>
    practice.api.files.release.mutate({ id, newId: newId(), readers: SHARED, consent: { ...consent, at } });
  expect((await refusal(release(consent.at))).fields["consent.at"]).toContain("older than what is to be shared");
  expect((await release(new Date().toISOString())).releasedFromId).toBe(id);
});

test("S72: files.release: what is in nobody's confidence is shown to parties as a new file, without a consent", async () => {
  const built = await aCase(practice);
  const { id } = await keep(built, PRACTICE_ONLY);
  const readers = { scope: "party", partyIds: [built.p2.partyId], aboutPartyIds: [] } as const;
  const shown = await practice.api.files.release.mutate({
    id,
    newId: newId(),
    readers: { ...readers, partyIds: [...readers.partyIds], aboutPartyIds: [] },
    consent: null,
  });
  expect(await seenBy(built, built.p2)).toEqual([shown.id]);
  expect(await seenBy(built, built.p1)).toEqual([]);
});
