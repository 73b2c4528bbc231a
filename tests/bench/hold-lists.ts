// Lists of what is long: as many notes as a session shows, each of as many parts as a note may have; and searches in very
// many clients, of whom they find none.
import { newId } from "@app/server/core/ids";
import { SHARED } from "@app/shared/visibility";
import mongoose from "mongoose";
import { aCase, aClient, type TestPractice } from "../support/server/people.ts";

const NOTES = 500;
const BREAKS = 2370;
/** Each of four who attack at once. */
const PARALLEL = 3;
const ROUNDS = 4;
const BODY = {
  type: "doc" as const,
  content: [
    { type: "paragraph" as const, content: Array.from({ length: BREAKS }, () => ({ type: "hardBreak" as const })) },
  ],
};

interface Long {
  caseId: string;
  sessionId: string;
  partyId: string;
}

async function longSession({ api }: TestPractice): Promise<Long> {
  const { theCase, p1 } = await aCase({ api });
  const { id: sessionId } = await api.sessions.create.mutate({ id: newId(), caseId: theCase.id, meetingId: null });
  const note = { id: newId(), kind: "file_note" as const, visibility: SHARED, body: BODY };
  const { id } = await api.sessions.addNote.mutate({ sessionId, note });
  const notes = mongoose.connection.collection<{ _id: string }>("notes");
  const stored = await notes.findOne({ _id: id });
  if (!stored) throw new Error("the note is not stored");
  for (let at = 1; at < NOTES; at += 1) await notes.insertOne({ ...stored, _id: newId() });
  return { caseId: theCase.id, sessionId, partyId: p1.partyId };
}

const CLIENTS = 100_000;
const AT_ONCE = 1000;

/** What a search by three letters finds by the first two, and no filter. */
async function veryManyClients({ api }: TestPractice): Promise<void> {
  const { id } = await api.clients.create.mutate(aClient({ firstName: "Priya", lastName: "Inverlochy" }));
  const clients = mongoose.connection.collection<{ _id: string }>("clients");
  const stored = await clients.findOne({ _id: id });
  if (!stored) throw new Error("the client is not stored");
  for (let at = 0; at < CLIENTS; at += AT_ONCE)
    await clients.insertMany(Array.from({ length: AT_ONCE }, () => ({ ...stored, _id: newId() })));
}

/** Of so many at once some may take longer than a page waits; where all do, nothing was measured. */
async function rounds(ask: () => Promise<unknown>): Promise<void> {
  let answered = 0;
  const one = async () => {
    for (let round = 0; round < ROUNDS; round += 1)
      await ask().then(
        () => (answered += 1),
        () => undefined,
      );
  };
  await Promise.all(Array.from({ length: PARALLEL }, one));
  if (answered === 0) throw new Error("no list was read");
}

/** What is laid first, and then what is asked for again and again. */
export const LISTS: Record<string, (attacker: TestPractice) => Promise<() => Promise<unknown>>> = {
  summaries: async (attacker) => {
    const { sessionId, partyId } = await longSession(attacker);
    return () => rounds(() => attacker.api.sessions.partySummary.query({ id: sessionId, partyId }));
  },
  longSearches: async (attacker) => {
    await veryManyClients(attacker);
    const asks = [
      () => attacker.api.search.find.query({ text: "p i z" }),
      () => attacker.api.clients.list.query({ safety: "restricted" }),
    ];
    // Of four who attack the first two: as many calls of one person are worked on at once. Where the machine is busy they
    // may take longer than a page waits.
    return async () => {
      const ask = asks.shift();
      for (let round = 0; ask && round < ROUNDS; round += 1) await ask().catch(() => undefined);
    };
  },
  notes: async (attacker) => {
    const { caseId, partyId } = await longSession(attacker);
    return () =>
      rounds(async () => {
        await attacker.api.notes.list.query({ caseId });
        await attacker.api.partyView.preview.query({ caseId, partyId });
      });
  },
};
