// What colleagues do with records while somebody else takes back the import that made them.
import { Readable } from "node:stream";
import { newId } from "@app/server/core/ids";
import { removeFiles } from "@app/server/features/files/file-changes.service";
import { readableFile, storeFile } from "@app/server/features/files/files.service";
import type { ImportKind } from "@app/shared/import-states";
import { plainText, richTextOf } from "@app/shared/rich-text";
import { PRACTICE_ONLY } from "@app/shared/visibility";
import { aLetterTo } from "../mail/letters.ts";
import { anEntry } from "../server/safeguarded.ts";
import { aCaseInput, aMeetingInput, clientFields, scopeOf, type TestPractice } from "../server/people.ts";

/** What was acknowledged: `look` fails unless it is there, and what it belongs to. */
export interface Acknowledged {
  what: string;
  look(): Promise<unknown>;
}

export interface Office {
  practice: TestPractice;
  /** A client and a case that no import made. */
  clientId: string;
  caseId: string;
  nextTime: () => string;
}

type Write = (office: Office, id: string) => Promise<() => Promise<unknown>>;

const anywhere = { clientId: null, caseId: null };
const aNote = { kind: "file_note", visibility: PRACTICE_ONLY, body: richTextOf("She rang.") } as const;
const aNewDraft = () => ({ id: newId(), version: 0, windowId: newId() });
const mailTo = (clientId: string, caseId: string | null) => ({
  clientId,
  caseId,
  to: [{ name: "", address: "someone@example.org" }],
  cc: [],
  subject: "Your papers",
  body: richTextOf("Please bring them."),
  fileIds: [],
  meetingId: null,
  inReplyTo: "",
  references: [],
});

interface Place {
  clientId: string | null;
  caseId: string | null;
}

/** The same for a client and for a case. */
const onPlace = (placeOf: (id: string) => Place): Record<string, Write> => ({
  note: async ({ practice: { api } }, at) => {
    const { id } = await api.notes.create.mutate({ id: newId(), ...aNote, ...placeOf(at) });
    return () => api.notes.get.query({ id });
  },
  task: async ({ practice: { api, ownerId } }, at) => {
    const fields = { title: "Ring back", dueOn: null, assigneeId: ownerId };
    await api.tasks.create.mutate({ id: newId(), ...fields, ...placeOf(at) });
    const { clientId, caseId } = placeOf(at);
    return async () => {
      const filter = clientId ? { clientId } : { caseId: caseId ?? "" };
      if ((await api.tasks.list.query({ ...filter, assignee: "anyone" })).total === 0) throw new Error("no task");
    };
  },
  file: async ({ practice: { ownerId } }, at) => {
    const upload = { name: "letter.txt", visibility: PRACTICE_ONLY, ...placeOf(at) };
    const { id } = await storeFile(scopeOf(ownerId), Readable.from([Buffer.from(newId())]), upload);
    return () => readableFile(scopeOf(ownerId), id);
  },
  "file moved here": async ({ practice: { api, ownerId }, caseId }, at) => {
    const upload = { name: "letter.txt", visibility: PRACTICE_ONLY, clientId: null, caseId };
    const { id } = await storeFile(scopeOf(ownerId), Readable.from([Buffer.from(newId())]), upload);
    await api.files.move.mutate({ ids: [id], ...placeOf(at) });
    return () => readableFile(scopeOf(ownerId), id);
  },
});

const WRITES: Record<ImportKind, Record<string, Write>> = {
  clients: {
    ...onPlace((clientId) => ({ ...anywhere, clientId })),
    draft: async ({ practice: { api } }, clientId) => {
      await api.compose.saveDraft.mutate({ ...mailTo(clientId, null), kept: aNewDraft() });
      return () => theDraft(api, { clientId, caseId: null });
    },
    case: async ({ practice: { api }, clientId: other }, clientId) => {
      const { id } = await api.casework.create.mutate(aCaseInput([clientId, other]));
      return () => api.cases.get.query({ id });
    },
    meeting: async ({ practice: { api, ownerId }, nextTime }, clientId) => {
      const { id } = await api.meetings.create.mutate(aMeetingInput(ownerId, { startsAt: nextTime(), clientId }));
      return () => api.meetings.get.query({ id });
    },
    mailing: async ({ practice: { api } }, clientId) => {
      const source = { kind: "clients" as const, clientIds: [clientId] };
      const text = { subject: "We move", body: richTextOf("To 4 Kiln Row."), perMinute: 0 };
      const { id } = await api.mailings.create.mutate({ id: newId(), ...text, source });
      return () => api.mailings.get.query({ id });
    },
    name: async ({ practice: { api } }, id) => {
      const client = clientFields({ lastName: "Renamed", email: "", phones: [] });
      await api.clients.update.mutate({ id, version: 0, client });
      return () => api.clients.get.query({ id });
    },
  },
  cases: {
    ...onPlace((caseId) => ({ ...anywhere, caseId })),
    session: async ({ practice: { api } }, caseId) => {
      const { id } = await api.sessions.create.mutate({ id: newId(), caseId, meetingId: null });
      return () => api.sessions.get.query({ id });
    },
    draft: async ({ practice: { api } }, caseId) => {
      const { parties } = await api.cases.get.query({ id: caseId });
      const place = { clientId: parties[0]?.clientId ?? "", caseId };
      await api.compose.saveDraft.mutate({ ...mailTo(place.clientId, caseId), kept: aNewDraft() });
      return () => theDraft(api, place);
    },
    meeting: async ({ practice: { api, ownerId }, nextTime }, caseId) => {
      const { id } = await api.meetings.create.mutate(aMeetingInput(ownerId, { startsAt: nextTime(), caseId }));
      return () => api.meetings.get.query({ id });
    },
    entry: async ({ practice: { api } }, caseId) => {
      const { id } = await api.safeguarding.add.mutate(anEntry(caseId));
      return () => theEntry(api, id);
    },
    step: async ({ practice: { api } }, id) => {
      await api.casework.move.mutate({ id, version: 0, to: "intake", reason: "", outcome: null });
      return () => api.cases.get.query({ id });
    },
  },
  contacts: {
    referrer: async ({ practice: { api }, clientId }, contactId) => {
      const referral = { source: "solicitor" as const, contactId, campaign: "" };
      const { id } = await api.casework.create.mutate(aCaseInput([clientId], { referral }));
      return () => api.cases.get.query({ id });
    },
    letter: async ({ practice: { api }, clientId }, id) => {
      const { email } = await api.contacts.get.query({ id });
      const letter = aLetterTo(email, { clientId });
      const sent = await api.compose.send.mutate({ id: newId(), ...letter, sendAt: null });
      return () => api.outbox.get.query({ id: sent.id });
    },
    mailing: async ({ practice: { api } }, contactId) => {
      const { email } = await api.contacts.get.query({ id: contactId });
      const source = { kind: "csv" as const, csv: `Email\n${email}` };
      const text = { subject: "We move", body: richTextOf("To 4 Kiln Row."), perMinute: 0 };
      const { id } = await api.mailings.create.mutate({ id: newId(), ...text, source });
      return () => api.mailings.get.query({ id });
    },
    link: async ({ practice: { api }, caseId }, id) => {
      await api.contacts.link.mutate({ changeId: newId(), id, caseId, role: "interpreter", partyId: null });
      return () => api.contacts.get.query({ id });
    },
  },
  meetings: {
    session: async ({ practice: { api }, caseId }, meetingId) => {
      const { id } = await api.sessions.create.mutate({ id: newId(), caseId, meetingId });
      return () => api.sessions.get.query({ id });
    },
    status: async ({ practice: { api } }, id) => {
      await api.meetings.setStatus.mutate({ id, version: 0, to: "confirmed" });
      return () => api.meetings.get.query({ id });
    },
  },
};

async function theDraft(api: TestPractice["api"], place: { clientId: string; caseId: string | null }) {
  if (!(await api.compose.start.query(place)).draft) throw new Error("no draft");
}

async function theEntry(api: TestPractice["api"], id: string): Promise<void> {
  await api.safeguarding.listWordings.query({ id });
}

/** An entry of the safeguarding record is there, whether its case is or not. */
const OUTLIVES = new Set(["entry"]);

/** One of the things that can be done with such a record; `look` also asks for the record itself. */
export async function writeOn(
  office: Office,
  { kind, id, choice }: { kind: ImportKind; id: string; choice: number },
): Promise<Acknowledged> {
  const writes = Object.entries(WRITES[kind]);
  const [what, write] = writes[Math.floor(choice * writes.length)] ?? [];
  if (!what || !write) throw new Error("no such thing to do");
  const look = await write(office, id);
  const lookAtRecord = async () => (OUTLIVES.has(what) ? null : recordOf(office, kind, id));
  return { what: `${what} on ${kind}`, look: () => Promise.all([look(), lookAtRecord()]) };
}

/** The record itself, as its page asks for it. */
export function recordOf({ practice: { api } }: Office, kind: ImportKind, id: string): Promise<{ id: string }> {
  return api[kind].get.query({ id });
}

/** A file that was deleted over thirty days ago, and that the sweep has not met yet. */
export async function anOldDeletedFile({ practice: { ownerId }, clientId }: Office): Promise<string> {
  const scope = scopeOf(ownerId);
  const upload = { name: "old.txt", visibility: PRACTICE_ONLY, clientId, caseId: null };
  const { id } = await storeFile(scope, Readable.from([Buffer.from(newId())]), upload);
  await removeFiles(scope, [id]);
  return id;
}

/** Things that others delete, move and bring back meanwhile, with the last text that each note was told to have. */
export interface Shelf {
  fileIds: string[];
  notes: { id: string; version: number; text: string }[];
}

const SHELF = 3;

export async function aShelf({ practice: { api, ownerId }, clientId }: Office): Promise<Shelf> {
  const place = { clientId, caseId: null };
  const shelf: Shelf = { fileIds: [], notes: [] };
  for (let index = 0; index < SHELF; index += 1) {
    const upload = { name: `shelf ${index}.txt`, visibility: PRACTICE_ONLY, ...place };
    shelf.fileIds.push((await storeFile(scopeOf(ownerId), Readable.from([Buffer.from(newId())]), upload)).id);
    const { id, version } = await api.notes.create.mutate({ id: newId(), ...aNote, ...place });
    shelf.notes.push({ id, version, text: "" });
  }
  return shelf;
}

const STIRS = ["move", "remove", "restore", "removeNote", "restoreNote", "saveNote", "saveNote"] as const;

/** One of the things that can become of what is on the shelf, as `choice` has it; throws where it is refused. */
export async function stir({ practice: { api }, clientId, caseId }: Office, shelf: Shelf, choice: number) {
  const what = STIRS[Math.floor(choice * STIRS.length)];
  const index = Math.floor(Math.random() * SHELF);
  const ids = shelf.fileIds.slice(index, index + 1);
  const note = shelf.notes[index];
  if (!note) throw new Error("the shelf is empty");
  const { id, version } = note;
  if (what === "move") await api.files.move.mutate({ ids, clientId, caseId: Math.random() < 0.5 ? caseId : null });
  else if (what === "remove") await api.files.remove.mutate({ ids });
  else if (what === "restore") await api.files.restore.mutate({ ids });
  else if (what === "removeNote") await api.notes.remove.mutate({ id });
  else if (what === "restoreNote") await api.notes.restore.mutate({ id });
  else {
    const text = newId();
    const saved = await api.notes.update.mutate({ id, version, saveId: newId(), body: richTextOf(text) });
    Object.assign(note, { text, version: saved.version });
  }
}

/** What is gone, or does not say what it was last told to say, once all of it was brought back. */
export async function missingFrom({ practice: { api, ownerId } }: Office, shelf: Shelf): Promise<string[]> {
  await api.files.restore.mutate({ ids: shelf.fileIds });
  const missing: string[] = [];
  for (const id of shelf.fileIds) {
    const file = await readableFile(scopeOf(ownerId), id).catch(() => null);
    if (!file || file.deletedAt) missing.push("file");
  }
  for (const { id, text } of shelf.notes) {
    const { body } = await api.notes.restore.mutate({ id });
    if (text && plainText(body) !== text) missing.push(`note: ${text}`);
  }
  return missing;
}
