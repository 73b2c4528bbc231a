// S72: what a party let out says what they agreed to, and nothing else under their consent.
import { Readable } from "node:stream";
import { newId } from "@app/server/core/ids";
import { storeFile } from "@app/server/features/files/files.service";
import { NoteModel } from "@app/server/features/notes/notes.model";
import { NO_MARK } from "@app/shared/files";
import { RELEASED_AS_IT_IS } from "@app/shared/notes";
import { richTextOf } from "@app/shared/rich-text";
import { caucusOf, forParty, PRACTICE_ONLY, SHARED } from "@app/shared/visibility";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { aCase, aPractice, aStaffUser, scopeOf } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
const built = forEachTest(() => aCase(practice));

const consent = () => ({
  grantedByPartyId: built.p1.partyId,
  at: new Date().toISOString(),
  how: "In the room",
});

async function aReleasedNote() {
  const { id } = await practice.api.notes.create.mutate({
    id: newId(),
    kind: "caucus",
    body: richTextOf("Priya offers 10, and would go to 20."),
    caseId: built.theCase.id,
    clientId: null,
    visibility: caucusOf(built.p1.partyId),
  });
  const released = { id, newId: newId(), body: richTextOf("Priya offers 10."), consent: consent() };
  return practice.api.notes.release.mutate(released);
}

const shownToOwen = async () => {
  const { theCase, p2 } = built;
  return JSON.stringify(await practice.api.partyView.preview.query({ caseId: theCase.id, partyId: p2.partyId }));
};

test("S72: notes.update: the words of a released note, whoever changes them, stay as they were agreed to", async () => {
  const carl = await aStaffUser(app, practice, { role: 3 });
  const { id, version } = await aReleasedNote();
  const other = { id, version, saveId: newId(), body: richTextOf("Priya offers 10, SECRETLIMIT 20.") };
  for (const { api } of [carl, practice])
    expect(await refusal(api.notes.update.mutate(other))).toMatchObject({
      code: "PRECONDITION_FAILED",
      message: RELEASED_AS_IT_IS,
    });
  expect(await shownToOwen()).toContain("Priya offers 10.");
  const pinned = await carl.api.notes.update.mutate({ id, version, saveId: newId(), isPinned: true });
  const fewer = { id, version: pinned.version, saveId: newId(), visibility: forParty(built.p2.partyId) };
  expect((await refusal(carl.api.notes.update.mutate({ ...fewer, body: other.body }))).code).toBe(
    "PRECONDITION_FAILED",
  );
  await carl.api.notes.update.mutate({ ...fewer, visibility: PRACTICE_ONLY });
  const narrowed = { ...other, version: pinned.version + 1 };
  expect((await refusal(carl.api.notes.update.mutate(narrowed))).message).toBe(RELEASED_AS_IT_IS);
});

test("S72: notes.restoreVersion: a released note that was changed once gets no earlier words", async () => {
  const { id } = await aReleasedNote();
  const stored = { ownerId: practice.ownerId, _id: id };
  const doc = await NoteModel.findOne(stored).lean();
  // As it could be changed before.
  await NoteModel.updateOne(stored, { $set: { consent: null } });
  const changed = await practice.api.notes.update.mutate({
    id,
    version: 0,
    saveId: newId(),
    body: richTextOf("Other words"),
  });
  await NoteModel.updateOne(stored, { $set: { consent: doc?.consent ?? null } });
  const restore = { id, version: changed.version, restored: 0, saveId: newId() };
  expect((await refusal(practice.api.notes.restoreVersion.mutate(restore))).message).toBe(RELEASED_AS_IT_IS);
});

test("S72: files.update: a released file keeps the name that was agreed to, and takes tags and fewer readers", async () => {
  const { theCase, first, p1 } = built;
  const input = { id: newId(), name: "offer.txt", clientId: first.id, caseId: theCase.id };
  const upload = { ...input, visibility: caucusOf(p1.partyId) };
  const response = await fetch(`${app.url}/files?upload=${encodeURIComponent(JSON.stringify(upload))}`, {
    method: "POST",
    headers: { origin: app.url, cookie: practice.cookies(), "content-type": "application/octet-stream" },
    body: "Priya offers 10.",
  });
  expect(response.status).toBe(201);
  const release = { id: input.id, newId: newId(), readers: SHARED, consent: consent() };
  const { items } = await practice.api.files.list.query({ clientId: first.id });
  const { id, name, version } = await practice.api.files.release.mutate({ ...release, id: items[0]?.id ?? "" });
  const change = { id, version, tags: ["offer"], visibility: SHARED };
  const renamed = practice.api.files.update.mutate({ ...change, name: "Priya would go to SECRETLIMIT.txt" });
  expect((await refusal(renamed)).fields["name"]).toBe(RELEASED_AS_IT_IS);
  expect(await shownToOwen()).toContain("offer.txt");
  const kept = await practice.api.files.update.mutate({ ...change, name, visibility: PRACTICE_ONLY });
  expect(kept).toMatchObject({ name, tags: ["offer"], visibility: PRACTICE_ONLY });
});

test.each(["deleted", "narrowed"])(
  "notes.release: what was %s takes a consent from after that to be shared again",
  async (how) => {
    const { id, version, releasedFromId, consent: given } = await aReleasedNote();
    if (!releasedFromId || !given) throw new Error("the release says nothing of where it comes from");
    if (how === "deleted") await practice.api.notes.remove.mutate({ id });
    else await practice.api.notes.update.mutate({ id, version, saveId: newId(), visibility: PRACTICE_ONLY });
    const original = { id: releasedFromId, body: richTextOf("Priya offers 10.") };
    const again = (at: typeof given) => practice.api.notes.release.mutate({ ...original, newId: newId(), consent: at });
    expect((await refusal(again(given))).fields).toHaveProperty(["consent.at"]);
    expect(await shownToOwen()).not.toContain("Priya offers 10.");
    await again(consent());
    expect(await shownToOwen()).toContain("Priya offers 10.");
  },
);

const GONE = { code: "PRECONDITION_FAILED", message: expect.stringContaining("Release it again") };

test("notes.restore and files.restore: what was shared with a consent and taken away, whoever asks, does not come back", async () => {
  const { id } = await aReleasedNote();
  await practice.api.notes.remove.mutate({ id });
  const upload = { clientId: null, caseId: built.theCase.id, name: "heronlist.txt", mark: NO_MARK };
  const kept = { ...upload, visibility: caucusOf(built.p1.partyId) };
  const original = await storeFile(scopeOf(practice.ownerId), Readable.from([Buffer.from(newId())]), kept);
  const release = { id: original.id, newId: newId(), readers: SHARED, consent: consent() };
  const ids = [(await practice.api.files.release.mutate(release)).id];
  await practice.api.files.remove.mutate({ ids });
  const carl = await aStaffUser(app, practice, { role: 3 });
  for (const { api } of [carl, practice]) {
    expect(await refusal(api.notes.restore.mutate({ id }))).toMatchObject(GONE);
    expect(await refusal(api.files.restore.mutate({ ids }))).toMatchObject(GONE);
  }
  expect(await shownToOwen()).not.toMatch(/Priya offers 10|heronlist/);
});

test.each(["deleted", "narrowed"])(
  "files.release: what was %s takes a consent from after that to be shared again",
  async (how) => {
    const upload = { clientId: null, caseId: built.theCase.id, name: "heronlist.txt", mark: NO_MARK };
    const content = Readable.from([Buffer.from(newId())]);
    const scope = scopeOf(practice.ownerId);
    const { id } = await storeFile(scope, content, { ...upload, visibility: caucusOf(built.p1.partyId) });
    const given = consent();
    const release = (at: typeof given) =>
      practice.api.files.release.mutate({ id, newId: newId(), readers: SHARED, consent: at });
    const { id: copyId, name, tags, version } = await release(given);
    if (how === "deleted") await practice.api.files.remove.mutate({ ids: [copyId] });
    else await practice.api.files.update.mutate({ id: copyId, version, name, tags, visibility: PRACTICE_ONLY });
    expect((await refusal(release(given))).fields).toHaveProperty(["consent.at"]);
    expect(await shownToOwen()).not.toContain("heronlist");
    await release(consent());
    expect(await shownToOwen()).toContain("heronlist");
  },
);
