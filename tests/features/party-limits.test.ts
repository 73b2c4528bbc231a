// What one party gets is cut only by what is theirs, and never in silence.
import { newId } from "@app/server/core/ids";
import { queueMail } from "@app/server/features/outbox/outbox.service";
import { sealFor } from "@app/server/features/visibility/for-party.service";
import { LISTED_TEXT_MAX_LENGTH } from "@app/shared/mail";
import { SHOWN_MAX_LENGTH } from "@app/shared/party-preview";
import { richTextOf } from "@app/shared/rich-text";
import { forParty, SHARED } from "@app/shared/visibility";
import mongoose from "mongoose";
import { beforeEach, expect, test } from "vitest";
import { aCase, aMeetingInput, aPractice, ledBy, scopeOf } from "../support/server/people.ts";
import { mayContact } from "../support/server/contactable.ts";
import { pdfText } from "../support/hostile/pdf-text.ts";
import { aCertificate, authorise } from "../support/server/assessments.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";

const MANY = 120;
let built: Awaited<ReturnType<typeof aCase>>;
const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
beforeEach(async () => {
  built = await aCase(practice, ledBy(practice.ownerId));
});

interface Stored {
  _id: string;
  [field: string]: unknown;
}
const stored = (name: string) => mongoose.connection.collection<Stored>(name);

/** So many more of something that is stored already, each a little younger. */
async function more(name: string, id: string, count: number, fields: (index: number) => object = () => ({})) {
  const found = await stored(name).findOne({ _id: id });
  if (!found) throw new Error(`nothing in ${name}`);
  const docs = Array.from({ length: count }, (_, index) => ({ ...found, ...fields(index), _id: newId() }));
  await stored(name).insertMany(docs);
}
const later = (index: number) => new Date(Date.now() + 1000 + index);

const preview = (partyId: string) => practice.api.partyView.preview.query({ caseId: built.theCase.id, partyId });
const itemsOf = async (partyId: string, kind: string) =>
  (await preview(partyId)).items.filter((item) => item.kind === kind);
const record = async (clientId: string) =>
  (await pdfText(app, practice, `/export/clients/${clientId}.pdf`)).replace(/\s+/g, " ");

const book = (startsAt: string, partyIds: string[], times = 0) =>
  practice.api.meetings.create.mutate(
    aMeetingInput(practice.ownerId, {
      startsAt,
      partyIds,
      caseId: built.theCase.id,
      repeat: times > 1 ? { everyWeeks: 1, times } : null,
      allowsOverlap: true,
    }),
  );

/** Meetings of P1 alone. */
async function manyOfTheOther(startsAt: string) {
  await book(startsAt, [built.p1.partyId], 60);
  await book(startsAt, [built.p1.partyId], 60);
}

async function propose(sessionId: string, text: string, partyId: string | null) {
  const visibility = partyId ? { scope: "party" as const, partyIds: [partyId], aboutPartyIds: [] } : SHARED;
  const proposal = { issue: "Home", text, byPartyId: partyId ?? "joint", visibility, countersId: null, release: null };
  await practice.api.sessions.addProposal.mutate({
    ...proposal,
    id: sessionId,
    changeId: newId(),
    proposalId: newId(),
  });
}
const start = () => practice.api.sessions.create.mutate({ id: newId(), caseId: built.theCase.id, meetingId: null });

async function certify(partyId: string) {
  const mediatorId = await authorise(practice);
  return aCertificate(practice, { caseId: built.theCase.id, partyId, mediatorId });
}

test("partyView.preview: a party's meeting, when the other has 120 later ones, then it is shown, and nothing says that it is cut", async () => {
  const { id } = await book("2031-01-06T09:00:00.000Z", [built.p1.partyId, built.p2.partyId]);
  await manyOfTheOther("2031-02-03T09:00:00.000Z");
  expect((await itemsOf(built.p2.partyId, "meeting")).map((item) => item.id)).toEqual([id]);
  expect((await preview(built.p2.partyId)).cut).toEqual([]);
  expect(await record(built.p2.clientId)).not.toContain("are shown");
  expect(await itemsOf(built.p1.partyId, "meeting")).toHaveLength(100);
  expect((await preview(built.p1.partyId)).cut).toEqual(["Meetings: there are more. The newest 100 are shown."]);
  expect(await record(built.p1.clientId)).toContain("the newest 100 are shown.");
});

test("compose.check: a party's coming meeting, when the other has 120 earlier ones, then it can go with a letter", async () => {
  await manyOfTheOther("2031-02-03T09:00:00.000Z");
  const { id } = await book("2035-01-08T09:00:00.000Z", [built.p2.partyId]);
  const { problems } = await practice.api.compose.check.mutate({
    clientId: built.second.id,
    caseId: built.theCase.id,
    to: [{ name: "", address: built.second.email }],
    cc: [],
    subject: "Your appointment",
    body: richTextOf("Here"),
    fileIds: [],
    meetingId: id,
    inReplyTo: "",
    references: [],
  });
  expect(problems).toEqual([]);
});

test("partyView.preview: a party's proposal, when 220 sessions came after it, then it is shown", async () => {
  const { id } = await start();
  await propose(id, "the first offer", built.p2.partyId);
  await more("sessions", id, 220, (index) => ({ number: index + 2, meetingId: null, proposals: [] }));
  const own = await itemsOf(built.p2.partyId, "note");
  expect(own.map(({ detail }) => detail)).toEqual(["the first offer"]);
});

test("partyView.preview: proposals, when a party has 120, then the newest 100 are shown, and that says so", async () => {
  const { id } = await start();
  await propose(id, "offer", null);
  const session = await stored("sessions").findOne({ _id: id });
  const [first] = Array.isArray(session?.["proposals"]) ? session["proposals"] : [];
  const proposals = Array.from({ length: MANY }, (_, index) => ({
    ...first,
    id: newId(),
    text: `offer ${index}.`,
    at: later(index),
    history: [],
  }));
  await more("sessions", id, 1, () => ({ number: 2, proposals }));
  const own = (await itemsOf(built.p2.partyId, "note")).map(({ detail }) => detail);
  expect(own).toHaveLength(100);
  expect(own).toContain("offer 119.");
  expect(own).not.toContain("offer 19.");
  expect((await preview(built.p2.partyId)).cut).toEqual(["Proposals: there are more. The newest 100 are shown."]);
});

test("partyView.preview: a party's certificate, when the other got 120 later, then it is shown; of 120 the newest 100 are", async () => {
  const own = await certify(built.p2.partyId);
  const other = await certify(built.p1.partyId);
  await more("certificates", other.id, MANY, (index) => ({
    number: `C-9${index}`,
    assessmentId: `of another meeting ${index}`,
    createdAt: later(index),
  }));
  expect((await itemsOf(built.p2.partyId, "certificate")).map(({ id }) => id)).toEqual([own.id]);
  expect(await itemsOf(built.p1.partyId, "certificate")).toHaveLength(100);
  expect((await preview(built.p1.partyId)).cut).toEqual(["Certificates: there are more. The newest 100 are shown."]);
});

test("partyView.preview: a party's line, when 120 later ones are about meetings that they do not know, then it is shown", async () => {
  const { p2, theCase } = built;
  await mayContact(theCase);
  await practice.api.casework.inviteParty.mutate({
    changeId: newId(),
    id: theCase.id,
    version: theCase.version,
    partyId: p2.partyId,
    channel: "post",
    on: "2026-01-05",
    wording: "A letter",
  });
  const { id } = await book("2031-01-06T09:00:00.000Z", [p2.partyId]);
  const line = await stored("history").findOne({ "meeting.meetingId": id });
  const meeting = { meetingId: newId(), did: "on 2031-01-07 at 09:00 booked", isOff: false };
  await more("history", line?._id ?? "", MANY, (index) => ({ meeting, at: later(index) }));
  const own = (await itemsOf(p2.partyId, "history")).map(({ title }) => title);
  expect(own).toEqual([expect.stringContaining("Mediation on"), "Invited by letter"]);
});

test.each([
  ["notes", "Notes"],
  ["files", "Files"],
  ["history", "History"],
] as const)(
  "partyView.preview: %s, when a party may read 120, then it says that the newest 100 are shown",
  async (name, words) => {
    const { theCase, p2 } = built;
    const body = richTextOf("Read this");
    const note = { kind: "file_note" as const, body, caseId: theCase.id, clientId: null, visibility: SHARED };
    const { id } = await practice.api.notes.create.mutate({ ...note, id: newId() });
    const file = { id: newId(), name: "paper.txt", clientId: null, caseId: theCase.id, visibility: SHARED };
    const response = await fetch(`${app.url}/files?upload=${encodeURIComponent(JSON.stringify(file))}`, {
      method: "POST",
      headers: { origin: app.url, cookie: practice.cookies(), "content-type": "application/octet-stream" },
      body: "paper",
    });
    const { id: fileId }: { id: string } = await response.json();
    const line = await stored("history").findOne({ caseId: theCase.id, kind: "note" });
    const source = { notes: id, files: fileId, history: line?._id ?? "" }[name];
    const shown =
      name === "history" ? { kind: "case", clientIds: [p2.clientId], visibility: forParty(p2.partyId) } : {};
    await more(name, source, MANY, () => shown);
    const { items, cut } = await preview(p2.partyId);
    expect(cut).toEqual([`${words}: there are more. The newest 100 are shown.`]);
    expect(items.filter(({ kind }) => `${kind}s` === name || kind === name)).toHaveLength(100);
    expect(await record(p2.clientId)).toContain(cut[0]?.toLowerCase());
  },
);

const LONG = "The boiler was to be mended first. ".repeat(1371).trim();
/** As many notes of this length as are shown. */
const FITTING = Math.floor(SHOWN_MAX_LENGTH / LONG.length);

test("S74 partyView.preview: more text in notes than is shown, then the newest that fit are shown, and the record too says that there are more", async () => {
  const { theCase, p2 } = built;
  const note = { kind: "file_note" as const, body: richTextOf(LONG), caseId: theCase.id, clientId: null };
  const { id } = await practice.api.notes.create.mutate({ ...note, visibility: SHARED, id: newId() });
  await more("notes", id, FITTING - 1, (index) => ({ createdAt: later(index) }));
  expect((await preview(p2.partyId)).cut).toEqual([]);
  await more("notes", id, 10, (index) => ({ createdAt: later(MANY + index) }));
  const { items, cut } = await preview(p2.partyId);
  expect(cut).toEqual([`Notes: there are more. The newest ${FITTING} are shown.`]);
  const notes = items.filter(({ kind }) => kind === "note");
  expect(notes).toHaveLength(FITTING);
  const times = notes.map(({ at }) => Date.parse(at ?? ""));
  expect(Math.min(...times)).toBe(times.at(-1));
  expect(await record(p2.clientId)).toContain(cut[0]?.toLowerCase());
});

test("S74 partyView.preview, sessions.partySummary: notes of few words and very many parts, then no more of them are read, and it says that there are more", async () => {
  const { theCase, p2 } = built;
  const { id: sessionId } = await start();
  const content = Array.from({ length: 2370 }, () => ({ type: "hardBreak" as const }));
  const body = { type: "doc" as const, content: [{ type: "paragraph" as const, content }] };
  const note = { id: newId(), kind: "file_note" as const, visibility: SHARED, body };
  const { id } = await practice.api.sessions.addNote.mutate({ sessionId, note });
  await more("notes", id, 30, (index) => ({ createdAt: later(index) }));
  const { notes, cut } = await practice.api.sessions.partySummary.query({ id: sessionId, partyId: p2.partyId });
  expect([notes.length, cut]).toEqual([10, ["Notes: there are more. The oldest 10 are shown."]]);
  expect((await preview(p2.partyId)).cut).toEqual(["Notes: there are more. The newest 10 are shown."]);
  expect((await practice.api.notes.list.query({ caseId: theCase.id })).total).toBe(31);
});

test("S74 sessions.partySummary: more notes or more text than is shown, then the oldest that fit are shown, and it says that there are more", async () => {
  const { p2 } = built;
  const { id: sessionId } = await start();
  const summary = () => practice.api.sessions.partySummary.query({ id: sessionId, partyId: p2.partyId });
  const add = async (text: string) => {
    const note = { id: newId(), kind: "file_note" as const, visibility: SHARED, body: richTextOf(text) };
    return (await practice.api.sessions.addNote.mutate({ sessionId, note })).id;
  };
  const first = await add("first");
  expect(await summary()).toMatchObject({ notes: [{ text: "first" }], cut: [] });
  await more("notes", first, 500, (index) => ({ createdAt: later(index) }));
  const many = await summary();
  expect([many.notes.length, many.cut]).toEqual([500, ["Notes: there are more. The oldest 500 are shown."]]);
  await stored("notes").deleteMany({ _id: { $ne: first } });
  await more("notes", await add(LONG), FITTING + 3, (index) => ({ createdAt: later(index) }));
  const long = await summary();
  // The short one is the oldest.
  expect([long.notes.length, long.notes[0]?.text]).toEqual([FITTING + 1, "first"]);
  expect(long.cut).toEqual([`Notes: there are more. The oldest ${FITTING + 1} are shown.`]);
});

test("S74 sessions.ofCase: sessions with much written in them, then the database gives none of that for the list", async () => {
  const { id } = await start();
  await propose(id, "an offer", null);
  const asked: string[] = [];
  mongoose.set("debug", (collection: string, method: string, ...args: unknown[]) => {
    if (collection === "sessions" && method === "find") asked.push(JSON.stringify(args));
  });
  const { items } = await practice.api.sessions.ofCase
    .query({ id: built.theCase.id })
    .finally(() => mongoose.set("debug", false));
  expect(items).toMatchObject([{ id, number: 1, isUnfinished: true }]);
  expect(asked).toEqual([expect.stringMatching(/"projection":\{"number":1/)]);
  expect(asked[0]).not.toMatch(/proposals|agenda|amendments/);
});

test("S74 outbox.list: a mail of more text than a letter has, then its row holds the beginning and says so, and get gives the whole", async () => {
  const { theCase, p2 } = built;
  const text = "0123456789".repeat(LISTED_TEXT_MAX_LENGTH / 10);
  const scope = scopeOf(practice.ownerId);
  const queued = async (whole: string) => {
    const content = { toName: "Maya", to: "maya@example.org", subject: "Papers", text: whole, attachments: [] };
    const mail = sealFor({ theCase, partyId: p2.partyId }, content, []);
    return (await queueMail(scope, { purpose: "letter", content: mail })).id;
  };
  const [fitting, longer] = [await queued(text), await queued(`${text}!`)];
  const { items } = await practice.api.outbox.list.query({ clientId: p2.clientId });
  const rowOf = (id: string) => items.find((row) => row.id === id);
  expect([rowOf(fitting)?.isCut, rowOf(fitting)?.text === text]).toEqual([false, true]);
  expect([rowOf(longer)?.isCut, rowOf(longer)?.text === text]).toEqual([true, true]);
  expect((await practice.api.outbox.get.query({ id: longer })).text).toBe(`${text}!`);
});
