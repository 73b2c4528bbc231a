// A second record of what is in a party's confidence, wherever it is kept, lets nothing of it out.
import { Readable } from "node:stream";
import { newId } from "@app/server/core/ids";
import { storeFile } from "@app/server/features/files/files.service";
import type { FileMark } from "@app/shared/files";
import { caucusOf, forParty, MEDIATOR_ONLY, PRACTICE_ONLY, SHARED, type Visibility } from "@app/shared/visibility";
import { describe, expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { aPhoto } from "../support/hostile/photo.ts";
import { sendByFunction } from "../support/mail/by-function.ts";
import { aLetterTo } from "../support/mail/letters.ts";
import { aSendingPractice, INES } from "../support/mail/sending-practice.ts";
import { forEachTest } from "../support/server/lifetimes.ts";
import { aCase, aCaseInput, aClient, aStaffUser, scopeOf } from "../support/server/people.ts";
import { aSignedCase } from "../support/server/signed.ts";

const { app, practice } = aSendingPractice();
const CONTENT = "I would take half";
const NOT_HERE = { code: "BAD_REQUEST", fields: { visibility: expect.stringContaining("not for everybody") } };
const REFUSED = { status: 400, text: expect.stringContaining("not for everybody") };
const built = forEachTest(() => aCase(practice));

interface Place {
  caseId?: string | null;
  clientId?: string | null;
}
const keep = (visibility: Visibility, { caseId = built.theCase.id, clientId = null }: Place = {}) =>
  storeFile(scopeOf(practice.ownerId), Readable.from([Buffer.from(CONTENT)]), {
    name: "words.txt",
    visibility,
    caseId,
    clientId,
  });
async function upload(visibility: Visibility, { caseId = built.theCase.id, clientId = null }: Place = {}) {
  const input = { id: newId(), name: "again.txt", clientId, caseId, visibility };
  const response = await fetch(`${app.url}/files?upload=${encodeURIComponent(JSON.stringify(input))}`, {
    method: "POST",
    headers: { origin: app.url, cookie: practice.cookies(), "content-type": "application/octet-stream" },
    body: CONTENT,
  });
  return { status: response.status, text: await response.text() };
}
const anotherCase = () =>
  practice.api.casework.create.mutate(aCaseInput([built.first.id, built.second.id], { caseRef: "" }));

test.each<[string, (partyId: string) => Visibility]>([
  ["for all", () => SHARED],
  ["for the other alone", forParty],
])("POST /files: the same content %s, in this or another case of the two, is refused", async (_who, of) => {
  await keep(caucusOf(built.p1.partyId));
  expect(await upload(of(built.p2.partyId))).toMatchObject(REFUSED);
  const other = await anotherCase();
  const owen = other.parties[1]?.partyId ?? "";
  expect(await upload(of(owen), { caseId: other.id })).toMatchObject(REFUSED);
});

test("POST /files: the same content for the other client, in no case, is refused; for whoever said it, it is taken", async () => {
  await keep(caucusOf(built.p1.partyId));
  const of = (clientId: string) => ({ caseId: null, clientId });
  expect(await upload(SHARED, of(built.second.id))).toMatchObject(REFUSED);
  expect((await upload(SHARED, of(built.first.id))).status).toBe(201);
});

test.each<[string, (partyId: string) => Visibility, number]>([
  ["said apart, so it is refused", caucusOf, 400],
  ["for their own eyes, so it is taken", forParty, 201],
])("POST /files: the same content for people of no case with them was %s", async (_what, of, status) => {
  await keep(of(built.p1.partyId));
  const { theCase, first, p1 } = await aCase(practice);
  for (const visibility of [SHARED, forParty(p1.partyId)])
    expect(await upload(visibility, { caseId: theCase.id })).toMatchObject({ status });
  const carl = await practice.api.clients.create.mutate(aClient({ email: "", phones: [] }));
  for (const clientId of [first.id, carl.id])
    expect(await upload(SHARED, { caseId: null, clientId })).toMatchObject({ status });
});

test("POST /files: what was said apart and then released, is refused to people of another case still", async () => {
  const { id } = await keep(caucusOf(built.p1.partyId));
  const consent = { grantedByPartyId: built.p1.partyId, at: new Date().toISOString(), how: "In the room" };
  await practice.api.files.release.mutate({ newId: newId(), id, readers: SHARED, consent });
  expect((await upload(SHARED)).status).toBe(201);
  const { theCase } = await aCase(practice);
  expect(await upload(SHARED, { caseId: theCase.id })).toMatchObject(REFUSED);
});

test("POST /files: the same content for somebody of another case with one of these is refused", async () => {
  await keep(forParty(built.p1.partyId));
  const unrelated = await aCase(practice);
  const among = [built.second.id, unrelated.first.id];
  const ofOne = await practice.api.casework.create.mutate(aCaseInput(among, { caseRef: "" }));
  const third = ofOne.parties[1]?.partyId ?? "";
  for (const visibility of [SHARED, forParty(third)])
    expect(await upload(visibility, { caseId: ofOne.id })).toMatchObject(REFUSED);
  expect(await upload(SHARED, { caseId: null, clientId: unrelated.first.id })).toMatchObject(REFUSED);
});

test("POST /files: when the first was deleted or moved away, then the same content for all is refused still", async () => {
  const { id } = await keep(caucusOf(built.p1.partyId));
  await practice.api.files.remove.mutate({ ids: [id] });
  expect(await upload(SHARED)).toMatchObject(REFUSED);
  await practice.api.files.restore.mutate({ ids: [id] });
  const { id: caseId } = await anotherCase();
  await practice.api.files.move.mutate({ ids: [id], clientId: null, caseId });
  expect(await upload(SHARED)).toMatchObject(REFUSED);
});

test.each([PRACTICE_ONLY, MEDIATOR_ONLY])(
  "files.release: a copy that is kept for the practice ($scope) is not shared without whoever said it",
  async (visibility) => {
    await keep(caucusOf(built.p1.partyId));
    const { id } = await keep(visibility);
    const release = (readers: Visibility) =>
      practice.api.files.release.mutate({ id, newId: newId(), readers, consent: null });
    expect(await refusal(release(SHARED))).toMatchObject(NOT_HERE);
    const toOwen: Visibility = { scope: "party", partyIds: [built.p2.partyId], aboutPartyIds: [] };
    expect(await refusal(release(toOwen))).toMatchObject(NOT_HERE);
  },
);

test("compose.send and imap-send: a copy of the other client's does not leave for them, however it came to be there", async () => {
  const { id: fileId } = await keep(SHARED, { caseId: null, clientId: built.second.id });
  await keep(caucusOf(built.p1.partyId));
  const letter = {
    ...aLetterTo(built.second.email, { clientId: built.second.id, caseId: null }),
    fileIds: [fileId],
  };
  const send = practice.api.compose.send.mutate({ id: newId(), ...letter, sendAt: null });
  expect((await refusal(send)).message).toContain("Take the address or the file out");
  const file = { mimeType: "text/plain", name: "a.txt", content: Buffer.from(CONTENT).toString("base64") };
  const sent = await sendByFunction(app, practice, INES, { to: [built.second.email], attachments: [file] });
  expect(sent.status).toBe(409);
});

test.each<[string, (photo: Buffer) => object]>([
  [
    "attached",
    (photo) => ({ attachments: [{ mimeType: "image/jpeg", name: "a.jpg", content: photo.toString("base64") }] }),
  ],
  ["in its text", (photo) => ({ body: `<img src="data:image/jpeg;base64,${photo.toString("base64")}">` })],
])(
  "imap-send: a photo in a party's confidence, as the camera made it or taken elsewhere, does not leave %s",
  async (_where, mail) => {
    const photo = aPhoto("51.5 N 0.1 W");
    await storeFile(scopeOf(practice.ownerId), Readable.from([photo]), {
      name: "photo.jpg",
      visibility: caucusOf(built.p1.partyId),
      caseId: built.theCase.id,
      clientId: null,
    });
    const send = (to: string, sent: Buffer) => sendByFunction(app, practice, INES, { to: [to], ...mail(sent) });
    for (const to of [built.second.email, "stranger@example.net"])
      for (const sent of [photo, aPhoto("48.1 N 11.6 E"), aPhoto("")]) expect((await send(to, sent)).status).toBe(409);
    const another = Buffer.concat([aPhoto(""), Buffer.from([0])]);
    expect((await send("stranger@example.net", another)).status).toBe(200);
  },
);

test("files.move: what is in a confidence leaves its case by whoever answers for that case alone", async () => {
  const { id } = await keep(caucusOf(built.p1.partyId));
  const mediator = await aStaffUser(app, practice, { role: 2 });
  const userId = (await mediator.api.auth.status.query()).user?.userId ?? "";
  const own = await mediator.api.casework.create.mutate(
    aCaseInput([built.first.id, built.second.id], { mediators: [{ userId, isLead: true }] }),
  );
  const move = (by: Pick<typeof mediator, "api">) =>
    by.api.files.move.mutate({ ids: [id], clientId: null, caseId: own.id });
  expect(await refusal(move(mediator))).toMatchObject({
    code: "FORBIDDEN",
    message: expect.stringContaining("in somebody’s confidence"),
  });
  await move(practice);
});

test.each([
  ["a case that its client is in", (clientId: string) => keep(caucusOf(clientId))],
  ["no case, and is the practice's", (clientId: string) => keep(PRACTICE_ONLY, { caseId: null, clientId })],
])(
  "POST /files: what is kept in %s, is refused for everybody who is in another case with them",
  async (_where, kept) => {
    const isInCase = _where.startsWith("a case");
    await kept(isInCase ? built.p1.partyId : built.first.id);
    const carl = await practice.api.clients.create.mutate(aClient({ email: "", phones: [] }));
    const other = await practice.api.casework.create.mutate(aCaseInput([built.first.id, carl.id]));
    const { partyId = "" } = other.parties[1] ?? {};
    for (const visibility of [SHARED, forParty(partyId)])
      expect(await upload(visibility, { caseId: other.id })).toMatchObject(REFUSED);
    expect(await upload(SHARED, { caseId: null, clientId: carl.id })).toMatchObject(REFUSED);
    expect(await upload(SHARED)).toMatchObject(REFUSED);
    expect((await upload(PRACTICE_ONLY, { caseId: other.id })).status).toBe(201);
  },
);

test("files.restore: what was deleted is not read again by all once the same content is in somebody's confidence", async () => {
  const shared = await keep(SHARED);
  await practice.api.files.remove.mutate({ ids: [shared.id] });
  await practice.api.files.restore.mutate({ ids: [shared.id] });
  await practice.api.files.remove.mutate({ ids: [shared.id] });
  await keep(caucusOf(built.p1.partyId));
  expect(await refusal(practice.api.files.restore.mutate({ ids: [shared.id] }))).toMatchObject(NOT_HERE);
});

test.each<[string, Visibility, "confidential" | "none"]>([
  ["marked confidential", SHARED, "confidential"],
  ["for the mediators alone", MEDIATOR_ONLY, "none"],
])(
  "POST /files: what is %s in one case is not shared with somebody of another",
  async (_what, visibility, privilege) => {
    await storeFile(scopeOf(practice.ownerId), Readable.from([Buffer.from(CONTENT)]), {
      name: "words.txt",
      visibility,
      caseId: built.theCase.id,
      clientId: null,
      mark: { privilege, isFinancial: false },
    });
    const unrelated = await aCase(practice);
    expect(await upload(SHARED, { caseId: unrelated.theCase.id })).toMatchObject(REFUSED);
    expect(await upload(SHARED, { caseId: null, clientId: unrelated.first.id })).toMatchObject(REFUSED);
    expect((await upload(PRACTICE_ONLY, { caseId: unrelated.theCase.id })).status).toBe(201);
  },
);

test.each<[string, Visibility, "confidential" | "none"]>([
  ["for the practice alone", PRACTICE_ONLY, "none"],
  ["for the mediators alone", MEDIATOR_ONLY, "none"],
  ["marked confidential", SHARED, "confidential"],
])(
  "POST /files: what is kept with a client and %s is not shown to somebody else",
  async (_what, visibility, privilege) => {
    await storeFile(scopeOf(practice.ownerId), Readable.from([Buffer.from(CONTENT)]), {
      name: "words.txt",
      visibility,
      caseId: null,
      clientId: built.first.id,
      mark: { privilege, isFinancial: false },
    });
    const unrelated = await aCase(practice);
    const of = (clientId: string) => ({ caseId: null, clientId });
    expect(await upload(SHARED, of(unrelated.first.id))).toMatchObject(REFUSED);
    expect(await upload(SHARED, { caseId: unrelated.theCase.id })).toMatchObject(REFUSED);
    expect((await upload(SHARED, of(built.first.id))).status).toBe(201);
    expect((await upload(PRACTICE_ONLY, of(unrelated.first.id))).status).toBe(201);
  },
);

test("POST /files: what is kept with a client for their eyes is refused to everybody near them, and is taken for them, for the practice and for people of no case with them", async () => {
  await keep(SHARED, { caseId: null, clientId: built.first.id });
  const of = (clientId: string) => ({ caseId: null, clientId });
  const { id: carl } = await practice.api.clients.create.mutate(aClient({ email: "", phones: [] }));
  await practice.api.casework.create.mutate(aCaseInput([built.second.id, carl]));
  for (const visibility of [SHARED, forParty(built.p2.partyId)])
    expect(await upload(visibility)).toMatchObject(REFUSED);
  for (const clientId of [built.second.id, carl]) expect(await upload(SHARED, of(clientId))).toMatchObject(REFUSED);
  for (const visibility of [forParty(built.p1.partyId), PRACTICE_ONLY, caucusOf(built.p2.partyId)])
    expect((await upload(visibility)).status).toBe(201);
});

test("POST /files: the same blank form, when it is kept with one client and then with others of other cases, is taken", async () => {
  const of = (clientId: string) => ({ caseId: null, clientId });
  expect((await upload(SHARED, of(built.first.id))).status).toBe(201);
  const { theCase, first } = await aCase(practice);
  expect((await upload(SHARED, of(first.id))).status).toBe(201);
  const carl = await practice.api.clients.create.mutate(aClient({ email: "", phones: [] }));
  expect((await upload(SHARED, of(carl.id))).status).toBe(201);
  expect((await upload(PRACTICE_ONLY, { caseId: theCase.id })).status).toBe(201);
});

describe("what was shared before somebody joined", () => {
  const signed = forEachTest(() => aSignedCase(practice, "kept"));
  const share = (privilege: FileMark["privilege"]) =>
    storeFile(scopeOf(practice.ownerId), Readable.from([Buffer.from(CONTENT)]), {
      name: "words.txt",
      visibility: SHARED,
      caseId: signed.theCase.id,
      clientId: null,
      mark: { privilege, isFinancial: false },
    });
  async function joins() {
    const { id: clientId } = await practice.api.clients.create.mutate(aClient({ email: "", phones: [] }));
    const { id, version } = await practice.api.cases.get.query({ id: signed.theCase.id });
    const party = { clientId, role: "participant" as const, side: "" };
    const { parties } = await practice.api.casework.addParty.mutate({ id, version, changeId: newId(), party });
    return { clientId, partyId: parties.at(-1)?.partyId ?? "" };
  }
  const release = (id: string, grantedByPartyId: string | null) => {
    const consent = grantedByPartyId && { grantedByPartyId, at: new Date().toISOString(), how: "By phone" };
    return practice.api.files.release.mutate({ id, newId: newId(), readers: SHARED, consent: consent || null });
  };

  test.each(["confidential", "without_prejudice"] as const)(
    "POST /files: the same content as one marked %s is refused for whoever joined, until one who had it agrees",
    async (privilege) => {
      const { id } = await share(privilege);
      const { clientId, partyId } = await joins();
      const { id: caseId } = signed.theCase;
      for (const visibility of [SHARED, forParty(partyId)])
        for (const place of [{ caseId }, { caseId, clientId }])
          expect(await upload(visibility, place)).toMatchObject(REFUSED);
      expect(await upload(SHARED, { caseId: null, clientId })).toMatchObject(REFUSED);
      const kept = await keep(PRACTICE_ONLY, { caseId });
      expect(await refusal(release(kept.id, null))).toMatchObject(NOT_HERE);
      const released = await release(id, signed.p2.partyId);
      expect((await upload(SHARED, { caseId })).status).toBe(201);
      await joins();
      expect(await upload(SHARED, { caseId })).toMatchObject(REFUSED);
      await release(released.id, partyId);
    },
  );

  test("POST /files: the same content as one without such a mark, when somebody joined, is taken for all", async () => {
    await share("none");
    await joins();
    expect((await upload(SHARED, { caseId: signed.theCase.id })).status).toBe(201);
  });

  test("files.restore: what all read, when the same content was shared as confidential since and somebody joined, is refused", async () => {
    const { id } = await share("none");
    await practice.api.files.remove.mutate({ ids: [id] });
    await share("confidential");
    await joins();
    expect(await refusal(practice.api.files.restore.mutate({ ids: [id] }))).toMatchObject(NOT_HERE);
  });
});
