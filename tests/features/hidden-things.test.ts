// What hangs on a case or a client that somebody does not see is missing for them, in the words of a missing thing.
import { newId } from "@app/server/core/ids";
import type { MailDraft } from "@app/shared/mail-check";
import { richTextOf } from "@app/shared/rich-text";
import { PRACTICE_ONLY } from "@app/shared/visibility";
import { beforeAll, expect, test } from "vitest";
import {
  aCase,
  aCaseInput,
  aClient,
  aMeetingInput,
  aPractice,
  aStaffUser,
  type TestPerson,
  ledBy,
} from "../support/server/people.ts";
import { aContact } from "../support/access/contacts-access.ts";
import { refusal } from "../support/access/refusal.ts";
import { aCertificate, authorise, daysAgo } from "../support/server/assessments.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

let person: TestPerson;
const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
beforeAll(async () => {
  person = await aStaffUser(app, practice, {
    permissions: [
      "clients.read",
      "clients.write",
      "documents.manage",
      "calendar.manage",
      "mail.send",
      "notes.private.read",
      "assigned_only",
    ],
  });
});

const idOf = async ({ api }: TestPerson): Promise<string> => (await api.auth.status.query()).user?.userId ?? "";

/** A case that the person works on, of a client of their own. */
async function ownCase() {
  const client = await person.api.clients.create.mutate(aClient({ firstName: "Own" }));
  const theCase = await person.api.casework.create.mutate(aCaseInput([client.id]));
  return { client, theCase };
}

async function aFileOf(place: { clientId: string | null; caseId: string | null }): Promise<string> {
  const id = newId();
  const input = { id, name: "hidden.txt", ...place, visibility: PRACTICE_ONLY };
  const response = await fetch(`${app.url}/files?upload=${encodeURIComponent(JSON.stringify(input))}`, {
    method: "POST",
    headers: { origin: app.url, cookie: practice.cookies(), "content-type": "application/octet-stream" },
    body: `content of ${id}`,
  });
  expect(response.status).toBe(201);
  const found = /"id":"([\w-]+)"/.exec(await response.text())?.[1];
  return found ?? "";
}

const answerTo = async (path: string) => {
  const response = await fetch(`${app.url}${path}`, { headers: { cookie: person.cookies() } });
  return { status: response.status, text: (await response.text()).replace(/"ref":"[^"]*"/, "") };
};

test("S70: a file of a hidden case or client, when it is changed or fetched, is answered as one that never was", async () => {
  const hidden = await aCase(practice);
  const own = await ownCase();
  const { files } = person.api;
  const tries: ((id: string) => Promise<unknown>)[] = [
    (id) => files.update.mutate({ id, version: 0, name: "x.txt", tags: [], visibility: PRACTICE_ONLY }),
    (id) => files.move.mutate({ ids: [id], clientId: own.client.id, caseId: own.theCase.id }),
    (id) => files.remove.mutate({ ids: [id] }),
    (id) => files.restore.mutate({ ids: [id] }),
    (id) =>
      files.release.mutate({
        id,
        newId: newId(),
        readers: { scope: "shared", partyIds: [], aboutPartyIds: [] },
        consent: null,
      }),
  ];
  const places = [
    { clientId: null, caseId: hidden.theCase.id },
    { clientId: hidden.first.id, caseId: null },
  ];
  for (const place of places) {
    const id = await aFileOf(place);
    for (const attempt of tries) {
      const answer = await refusal(attempt(id));
      expect(answer).toMatchObject({ code: "NOT_FOUND" });
      expect(answer).toEqual(await refusal(attempt("never-was")));
    }
    expect(await answerTo(`/files/${id}`)).toEqual(await answerTo("/files/never-was"));
  }
});

test("S70: a certificate of a hidden case, when it is used, declared void or printed, is answered as one that never was", async () => {
  const mediatorId = await authorise(practice);
  const { theCase, p1 } = await aCase(practice, ledBy(mediatorId));
  const { id } = await aCertificate(practice, { caseId: theCase.id, partyId: p1.partyId, mediatorId });
  const { certificates } = person.api;
  for (const attempt of [
    (of: string) => certificates.use.mutate({ id: of, usedOn: daysAgo(0) }),
    (of: string) => certificates.void.mutate({ id: of, reason: "x" }),
  ]) {
    const answer = await refusal(attempt(id));
    expect(answer).toMatchObject({ code: "NOT_FOUND" });
    expect(answer).toEqual(await refusal(attempt("never-was")));
  }
  const printed = (of: string) => answerTo(`/export/certificates/${of}.pdf`);
  expect(await printed(id)).toEqual(await printed("never-was"));
});

test("S70: a note on a hidden client is answered as one that never was", async () => {
  const client = await practice.api.clients.create.mutate(aClient());
  const { id } = await practice.api.notes.create.mutate({
    id: newId(),
    caseId: null,
    clientId: client.id,
    kind: "file_note",
    visibility: PRACTICE_ONLY,
    body: richTextOf("Hidden"),
  });
  const answer = await refusal(person.api.notes.get.query({ id }));
  expect(answer).toMatchObject({ code: "NOT_FOUND" });
  expect(answer).toEqual(await refusal(person.api.notes.get.query({ id: "never-was" })));
});

test("S70: sessions.create and start with the meeting of a hidden case, with its session or without, are answered as with none", async () => {
  const { theCase } = await aCase(practice);
  const own = await ownCase();
  const meetings = await Promise.all(
    ["2031-05-06T09:00:00.000Z", "2031-05-06T13:00:00.000Z"].map((startsAt) =>
      practice.api.meetings.create.mutate(aMeetingInput(practice.ownerId, { caseId: theCase.id, startsAt })),
    ),
  );
  const [met] = meetings;
  await practice.api.sessions.create.mutate({ id: newId(), caseId: theCase.id, meetingId: met?.id ?? "" });
  const { sessions } = person.api;
  for (const way of [sessions.create, sessions.start]) {
    const attempt = (meetingId: string) => refusal(way.mutate({ id: newId(), caseId: own.theCase.id, meetingId }));
    const missing = await attempt("never-was");
    expect(missing).toMatchObject({ code: "NOT_FOUND" });
    for (const { id } of meetings) expect(await attempt(id)).toEqual(missing);
  }
});

test("S70: meetings.create and update, when they name a client or a party who is not of the case, are refused", async () => {
  const own = await ownCase();
  const other = await aCase(practice);
  const stranger = await aCase(await aPractice(app));
  const input = aMeetingInput(await idOf(person), { caseId: own.theCase.id, startsAt: "2031-06-03T09:00:00.000Z" });
  const elsewhere = await person.api.clients.create.mutate(aClient({ firstName: "Elsewhere" }));
  for (const clientId of [other.first.id, stranger.first.id, elsewhere.id, "never-was"])
    expect(
      await refusal(person.api.meetings.create.mutate({ ...input, id: newId(), clientId })),
      clientId,
    ).toMatchObject({ code: "BAD_REQUEST", fields: { clientId: expect.stringContaining("not a party") } });
  const meeting = await person.api.meetings.create.mutate({ ...input, clientId: own.client.id });
  for (const { partyId } of [other.p1, stranger.p1]) {
    const arrivals = [{ partyId, minutesBefore: 15 }];
    const made = person.api.meetings.create.mutate({ ...input, id: newId(), arrivals });
    expect(await refusal(made)).toMatchObject({ code: "BAD_REQUEST", fields: { arrivals: expect.any(String) } });
    const { id, version, type, title, location, mediatorIds, partyIds, note } = meeting;
    const details = { id, version, type, title, location, mediatorIds, partyIds, note };
    const changed = person.api.meetings.update.mutate({ ...details, arrivals });
    expect(await refusal(changed)).toMatchObject({ code: "BAD_REQUEST", fields: { arrivals: expect.any(String) } });
  }
});

test("S70: compose.saveDraft, when it names a file or a meeting that its writer does not see, is refused and keeps what was", async () => {
  const own = await ownCase();
  const other = await aCase(practice);
  const anotherPractice = await aPractice(app);
  const fileId = await aFileOf({ clientId: null, caseId: other.theCase.id });
  const place = { clientId: own.client.id, caseId: own.theCase.id };
  const draft: MailDraft = {
    ...place,
    to: [],
    cc: [],
    subject: "Begun",
    body: richTextOf("Begun"),
    fileIds: [],
    meetingId: null,
    inReplyTo: "",
    references: [],
  };
  const at = { startsAt: "2031-07-01T09:00:00.000Z" };
  const hidden = await practice.api.meetings.create.mutate(
    aMeetingInput(practice.ownerId, { ...at, caseId: other.theCase.id }),
  );
  const foreign = await anotherPractice.api.meetings.create.mutate(aMeetingInput(anotherPractice.ownerId, at));
  const { compose } = person.api;
  const kept = { id: newId(), version: 0, windowId: newId() };
  await compose.saveDraft.mutate({ ...draft, kept });
  for (const named of [
    { fileIds: [fileId] },
    { fileIds: ["never-was"] },
    { meetingId: hidden.id },
    { meetingId: foreign.id },
  ])
    expect(await refusal(compose.saveDraft.mutate({ ...draft, kept, subject: "Changed", ...named }))).toMatchObject({
      code: "NOT_FOUND",
    });
  expect((await compose.start.query(place)).draft?.content).toEqual(draft);
});

test("compose.saveDraft: a file that was deleted after it was attached does not cost the text that is written on", async () => {
  const built = await aCase(practice);
  const place = { clientId: built.first.id, caseId: built.theCase.id };
  const fileId = await aFileOf(place);
  const draft = { ...place, to: [], cc: [], body: richTextOf("x"), fileIds: [fileId], meetingId: null };
  const kept = { id: newId(), version: 0, windowId: newId() };
  const whole = { ...draft, kept, subject: "One", inReplyTo: "", references: [] };
  await practice.api.compose.saveDraft.mutate(whole);
  await practice.api.files.remove.mutate({ ids: [fileId] });
  await practice.api.compose.saveDraft.mutate({ ...whole, subject: "Two" });
  expect((await practice.api.compose.start.query(place)).draft?.content.subject).toBe("Two");
});

test("S71: a mediator's certificate is marked used by nobody who could not declare it void", async () => {
  const signer = await aStaffUser(app, practice, { role: 2 });
  const caseworker = await aStaffUser(app, practice, { role: 3 });
  const mediatorId = await authorise(practice, signer, "5678B");
  const { theCase, p1 } = await aCase(practice, ledBy(mediatorId));
  const { id } = await aCertificate(signer, { caseId: theCase.id, partyId: p1.partyId, mediatorId });
  const use = { id, usedOn: daysAgo(0) };
  expect(await refusal(caseworker.api.certificates.use.mutate(use))).toMatchObject({ code: "FORBIDDEN" });
  const { items } = await practice.api.certificates.list.query({ caseId: theCase.id });
  expect(items).toMatchObject([{ id, usedOn: "" }]);
  expect(await signer.api.certificates.use.mutate(use)).toMatchObject({ status: "used" });
});

test("S70: conflicts.ofCase, when the decision was another's, shows the cases of a contact as its reader sees them", async () => {
  const userId = await idOf(person);
  const shown = await aCase(practice, { staffIds: [userId] });
  const hidden = await aCase(practice);
  const { firstName, lastName, email } = shown.first;
  const contact = await practice.api.contacts.create.mutate(aContact({ firstName, lastName, email }));
  const link = { id: contact.id, role: "expert", partyId: null } as const;
  for (const { theCase } of [shown, hidden])
    await practice.api.contacts.link.mutate({ changeId: newId(), ...link, caseId: theCase.id });
  const caseId = shown.theCase.id;
  await practice.api.conflicts.decide.mutate({ id: newId(), caseId, decision: "clear", reason: "" });
  const refsFor = async ({ api }: Pick<TestPerson, "api">) => {
    const { latest, hits } = await api.conflicts.ofCase.query({ id: caseId });
    return [latest?.hits ?? [], hits].map((found) => found.find(({ id }) => id === contact.id)?.caseRefs.toSorted());
  };
  const both = [shown.theCase.caseRef, hidden.theCase.caseRef].toSorted();
  expect(await refsFor(practice)).toEqual([both, both]);
  expect(await refsFor(person)).toEqual([[shown.theCase.caseRef], [shown.theCase.caseRef]]);
});

test("S70: mailings.listItems and its CSV, once their writer is taken off the case, leave out the client", async () => {
  const writer = await aStaffUser(app, practice, {
    permissions: ["clients.read", "clients.write", "mail.send", "data.export", "assigned_only"],
  });
  const shown = await writer.api.clients.create.mutate(aClient({ firstName: "Shown", email: "shown@example.org" }));
  const gone = await writer.api.clients.create.mutate(aClient({ firstName: "Gone", email: "" }));
  const { id: mailingId } = await writer.api.mailings.create.mutate({
    id: newId(),
    subject: "We move",
    body: richTextOf("We move."),
    perMinute: 0,
    source: { kind: "clients", clientIds: [shown.id, gone.id] },
  });
  const told = async ({ api, cookies }: Pick<TestPerson, "api" | "cookies">) => {
    const { items, total } = await api.mailings.listItems.query({ mailingId, page: 1 });
    const csv = await fetch(`${app.url}/export/mailings/${mailingId}.csv`, { headers: { cookie: cookies() } });
    return { names: items.map(({ name }) => name).toSorted(), total, csv: (await csv.text()).includes("Gone Ellery") };
  };
  const all = { names: ["Gone Ellery", "Shown Ellery"], total: 2, csv: true };
  expect(await told(writer)).toEqual(all);
  // Opened by the owner without the writer: from now on the client is of those who work on it.
  await practice.api.casework.create.mutate(aCaseInput([gone.id]));
  expect(await refusal(writer.api.clients.get.query({ id: gone.id }))).toMatchObject({ code: "NOT_FOUND" });
  expect(await told(writer)).toEqual({ names: ["Shown Ellery"], total: 1, csv: false });
  expect(await told(practice)).toEqual(all);
});
