import { Readable } from "node:stream";
import { now } from "@app/server/core/clock";
import { newId } from "@app/server/core/ids";
import type { Scope } from "@app/server/core/trpc";
import { moveParty } from "@app/server/features/casework/case-progress";
import { addParty } from "@app/server/features/casework/joining";
import { createCases, getCase } from "@app/server/features/cases/cases.service";
import { createClients } from "@app/server/features/clients/clients.service";
import { updateFile } from "@app/server/features/files/file-changes.service";
import { moveFiles } from "@app/server/features/files/file-moves.service";
import { storeFile } from "@app/server/features/files/files.service";
import { inTransaction } from "@app/server/core/database";
import { recordEvent } from "@app/server/features/history/history.service";
import { createMeeting } from "@app/server/features/meetings/booking.service";
import { createNote, updateNote } from "@app/server/features/notes/notes.service";
import { addProposal } from "@app/server/features/sessions/session-proposals.service";
import { SessionModel } from "@app/server/features/sessions/sessions.model";
import { createTasks } from "@app/server/features/tasks/tasks.service";
import { addNote, createSession } from "@app/server/features/sessions/sessions.service";
import { dayIn } from "@app/shared/days";
import { CONFIDENCES } from "@app/shared/confidences";
import { type FileMark, NO_MARK } from "@app/shared/files";
import { DEFAULT_SAFE_CONTACT } from "@app/shared/clients";
import { JOINT, mayOfferTogether } from "@app/shared/sessions";
import { richTextOf } from "@app/shared/rich-text";
import type { PartyStatus } from "@app/shared/case-states";
import type { Case } from "@app/shared/cases";
import { caucusOf, forParty, MEDIATOR_ONLY, PRACTICE_ONLY, SHARED, type Visibility } from "@app/shared/visibility";
import fc from "fast-check";
import { answer } from "./random-answers.ts";
import { asCaucus, isOfCaucus, storeCaucus } from "./random-caucus.ts";
import { disclose } from "./random-figures.ts";
import { writeDocuments } from "./random-documents.ts";
import { safeguard } from "./random-safety.ts";
import { asOf, askToSignAll, bill, certify, represent } from "./random-records.ts";
import { bring, type Kept, refused, release } from "./random-release.ts";
import { MeetingsByChance, someMeetings } from "./random-meetings.ts";
import { assertRefused, isBound, signs } from "./random-agreement.ts";
import { cleared } from "../server/cleared.ts";
import { othersAnswered } from "../server/contactable.ts";
import { screened } from "../server/screened.ts";
import { aCaseInput, aClient, aMeetingInput } from "../server/people.ts";

const KINDS = ["note", "file", "history", "sessionNote", "proposal", "caucusNote", "caucusProposal"] as const;
const FINANCIAL: FileMark = { privilege: "open", isFinancial: true };
const MARKS: readonly [FileMark, FileMark, ...FileMark[]] = [
  NO_MARK,
  { privilege: "without_prejudice", isFinancial: false },
  { privilege: "confidential", isFinancial: false },
  FINANCIAL,
];
const PLAIN_KINDS = KINDS.slice(0, 5);
const SECRECIES = [
  "practice",
  "mediator",
  "shared",
  "own",
  "both",
  "caucus",
  // What no form lets through, and the guard must hold against all the same.
  "sharedThoughInConfidence",
  "shownThoughInConfidence",
] as const;

/** A random case: its parties, and what is kept in it for whose eyes. */
export const aRandomCase = fc.record({
  parties: fc.integer({ min: 2, max: 3 }),
  items: fc.array(
    fc.record({
      kind: fc.constantFrom(...KINDS),
      secrecy: fc.constantFrom(...SECRECIES),
      of: fc.nat(2),
      and: fc.nat(2),
      /** What somebody tries with it afterwards. */
      afterwards: fc.constantFrom("nothing", "nothing", "widen", "moveOut", "release", "bring"),
      /** What it is marked as, where it is a file. */
      mark: fc.constantFrom(...MARKS),
    }),
    { minLength: 6, maxLength: 10 },
  ),
  /** After so many things somebody joins, and after so many the second party leaves. */
  joinsAfter: fc.option(fc.nat(8), { freq: 1 }),
  leavesAfter: fc.option(fc.nat(8), { freq: 3 }),
  /** After so many the first party leaves too, and comes back after so many more. */
  awayAfter: fc.option(fc.nat(8), { freq: 1 }),
  awayFor: fc.integer({ min: 1, max: 4 }),
  /** After so many the second party signs an agreement that says this of confidences. */
  signsAfter: fc.option(fc.nat(8), { freq: 3 }),
  confidences: fc.constantFrom(...CONFIDENCES),
  /** The parties who may only be reached in a certain way. */
  restricted: fc.subarray([0, 1, 2]),
  attending: fc.subarray([0, 1, 2], { minLength: 1 }),
  minutesBefore: fc.constantFrom(0, 10, 30),
  /** The parties whose solicitors are among the contacts. */
  represented: fc.subarray([0, 1, 2]),
  meetings: someMeetings,
});
export type RandomCase = typeof aRandomCase extends fc.Arbitrary<infer Value> ? Value : never;

const each = (secrecy: (typeof SECRECIES)[number], of = 0, kinds: readonly (typeof KINDS)[number][] = PLAIN_KINDS) =>
  kinds.map((kind) => ({ kind, secrecy, of, and: 1, afterwards: "nothing" as const, mark: MARKS[1] }));

/** A case with nearly everything: whatever guard is missing, most show at once here. */
export const A_FULL_CASE: RandomCase = {
  parties: 2,
  items: [
    ...each("shared"),
    { kind: "note", secrecy: "caucus", of: 0, and: 1, afterwards: "release", mark: NO_MARK },
    { kind: "file", secrecy: "caucus", of: 0, and: 1, afterwards: "bring", mark: MARKS[1] },
    ...each("caucus", 0, ["proposal", "sessionNote"]),
    { kind: "file", secrecy: "caucus", of: 0, and: 1, afterwards: "widen", mark: NO_MARK },
    { kind: "file", secrecy: "caucus", of: 0, and: 1, afterwards: "moveOut", mark: NO_MARK },
    ...each("mediator", 0, ["note", "file", "history"]),
    ...each("own", 1, ["note", "file", "history"]),
    // After the second party signed that none are kept.
    ...each("caucus", 1, ["note", "sessionNote", "proposal"]),
    { kind: "file", secrecy: "caucus", of: 1, and: 1, afterwards: "nothing", mark: FINANCIAL },
    ...each("sharedThoughInConfidence", 0, ["note", "file", "history"]),
    ...each("shownThoughInConfidence", 0, ["note", "file", "history"]),
    ...each("shared"),
    ...each("own", 0, ["caucusNote", "caucusProposal"]),
  ],
  meetings: [
    {
      bookedAfter: 0,
      isInvited: true,
      happenings: [
        { after: 25, what: "remind" },
        { after: 28, what: "place" },
        { after: 29, what: "confirmed" },
        { after: 30, what: "remind" },
      ],
    },
    { bookedAfter: 1, isInvited: true, happenings: [{ after: 28, what: "moved" }] },
  ],
  joinsAfter: 8,
  leavesAfter: 24,
  awayAfter: 27,
  signsAfter: 17,
  confidences: "none",
  awayFor: 5,
  restricted: [1],
  attending: [0, 1],
  minutesBefore: 30,
  represented: [0, 1],
};

/** Something that is kept, with the one word that stands in it, and the parties who may come to know that word. */
export interface Secret {
  canary: string;
  kind:
    | (typeof KINDS)[number]
    | "person"
    | "practice"
    | "meeting"
    | "certificate"
    | "invoice"
    | "assessment"
    | "contact"
    | "answer"
    | "screening"
    | "safeguarding"
    | "suspicion"
    | "document"
    | "figure";
  visibility: Visibility;
  readers: ReadonlySet<string>;
  /** In whose preview it stands, where these are fewer. */
  shownTo?: ReadonlySet<string>;
  /** The party who answered it, and may keep what they said, whoever of the practice reads it. */
  writtenBy?: string;
  isEvent?: boolean;
  /** When it was there for them, as it is. */
  since: Date;
  changedAt: Date;
}

export interface BuiltCase {
  theCase: Case;
  sessionId: string;
  /** When each party is to come to the meeting. */
  arrivals: ReadonlyMap<string, string>;
  /** Whoever may be told of an appointment and nothing else. */
  restrictedIds: ReadonlySet<string>;
  /** Whoever was in the case when a meeting of theirs was reminded of. */
  remindedIds: ReadonlySet<string>;
  secrets: Secret[];
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
let caseNumber = 0;

/** Who may read it, where these parties are in the case, and these of them have not left it. */
function visibilityOf(
  { secrecy, of, and }: RandomCase["items"][number],
  ids: string[],
  present: string[],
): [Visibility, string[]] {
  const one = ids[of % ids.length] ?? "";
  const other = ids[and % ids.length] ?? "";
  switch (secrecy) {
    case "practice":
      return [PRACTICE_ONLY, []];
    case "mediator":
      return [MEDIATOR_ONLY, []];
    case "shared":
      return [SHARED, present];
    case "own":
      return [forParty(one), [one]];
    case "both":
      return [{ scope: "party", partyIds: [one, other], aboutPartyIds: [] }, [one, other]];
    case "caucus":
      return [caucusOf(one), []];
    case "sharedThoughInConfidence":
      return [{ ...SHARED, aboutPartyIds: [one] }, present.includes(one) ? [one] : []];
    case "shownThoughInConfidence":
      return [{ scope: "party", partyIds: [other], aboutPartyIds: [one] }, one === other ? [one] : []];
  }
}

/** Stores the case and all that is in it, as the product itself would. */
export async function build(scope: Scope, random: RandomCase, mediatorIds: string[]): Promise<BuiltCase> {
  const name = `Qx${(caseNumber += 1)}z`;
  const numbers = Array.from({ length: random.parties }, (_, index) => index);
  const clients = await createClients(
    scope,
    numbers.map((index) => aPerson(name, index, random)),
  );
  const mediators = mediatorIds.map((userId, index) => ({ userId, isLead: index === 0 }));
  const clientIds = clients.map(({ id }) => id);
  const [theCase] = await createCases(scope, [aCaseInput(clientIds, { mediators, matter: `${name}matter` })]);
  if (!theCase) throw new Error("the case that was just stored is missing");
  const ofSafety = await safeguard(scope, theCase, name);
  await cleared(theCase);
  await othersAnswered(theCase);
  const { id: sessionId } = await createSession(scope, { caseId: theCase.id, meetingId: null });
  // As if they had signed before: what the parties do in the case starts with their first step.
  const begun = { status: "in_progress" as const, startedAt: new Date() };
  await SessionModel.updateOne({ _id: sessionId, ownerId: scope.ownerId }, { $set: begun });
  const filled = await fill(scope, { theCase, sessionId, random, name });
  const built = await furnish(scope, { ...filled, sessionId, random, name });
  const answered = await answer(scope, built.theCase, name);
  const drafts = await writeDocuments(scope, built.theCase, name);
  const figures = await disclose(scope, built.theCase, name);
  return { ...built, secrets: [...built.secrets, ...ofSafety, ...answered, ...drafts, ...figures] };
}

function aPerson(name: string, index: number, { restricted }: RandomCase) {
  const word = `${name}person${index}end`;
  return aClient({
    lastName: word,
    email: `${word}@example.org`,
    phones: [],
    needs: word,
    address: { lines: [word], postcode: "", country: "" },
    safeContact: { ...DEFAULT_SAFE_CONTACT, codeWord: restricted.includes(index) ? "heron" : "" },
  });
}

interface Begun {
  theCase: Case;
  sessionId: string;
  random: RandomCase;
  name: string;
}

/** Puts the things into the case, one after the other, while people come and go. */
async function fill(scope: Scope, { theCase: begun, sessionId, random, name }: Begun) {
  let theCase = begun;
  const items: Secret[] = [];
  const gone = new Set<string>();
  const first = theCase.parties[0]?.partyId ?? "";
  const awayAfter = random.awayAfter ?? Number.NaN;
  const meetings = new MeetingsByChance(scope, theCase.id, name);
  for (const [index, item] of random.items.entries()) {
    if (index === random.joinsAfter) theCase = await joins(scope, theCase, random, name);
    const second = theCase.parties[1]?.partyId ?? "";
    if (index === random.signsAfter && !gone.has(second)) theCase = await signs(scope, theCase, random.confidences);
    if (index === random.leavesAfter) {
      theCase = await moves(scope, theCase, second, ["withdrawn"]);
      gone.add(second);
    }
    if (index === awayAfter) {
      theCase = await moves(scope, theCase, first, ["responded", "refused"]);
      gone.add(first);
    }
    if (index === awayAfter + random.awayFor) {
      theCase = await moves(scope, theCase, first, ["responded"]);
      // Whoever comes back is screened anew, so that the others mediate with them.
      await screened(theCase, theCase.parties.slice(0, 1));
      gone.delete(first);
    }
    const ids = theCase.parties.map(({ partyId }) => partyId);
    const present = ids.filter((id) => !gone.has(id));
    await meetings.step(index, random.meetings, present);
    const [visibility, readers] = visibilityOf(item, ids, present);
    const canary = `${name}item${index}end`.toLowerCase();
    // A line of the history is for whom it names only where they are there.
    const isEvent = item.kind === "history";
    const known = isEvent ? readers.filter((id) => present.includes(id)) : readers;
    const kept: Secret = { canary, kind: item.kind, visibility, readers: new Set(known), isEvent, ...asOf(new Date()) };
    const about = ids[item.of % ids.length] ?? "";
    const secret = isOfCaucus(kept) ? { ...kept, ...asCaucus(kept, about) } : kept;
    const asked = { ...visibility, aboutPartyIds: [about] };
    const storing = isOfCaucus(kept)
      ? storeCaucus(scope, { theCase, sessionId, secret, asked })
      : store(scope, { theCase, sessionId, secret, mark: item.mark });
    if (isBound(theCase, { kind: item.kind, mark: item.mark, visibility: secret.visibility })) {
      await assertRefused(storing, item);
      continue;
    }
    const id = await storing;
    items.push(await tryToWiden(scope, { theCase, secret, id, present }, item.afterwards));
  }
  if (gone.has(first)) theCase = await moves(scope, theCase, first, ["responded"]);
  items.push(...meetings.told.map(toldOfMeeting));
  return { theCase, items, remindedIds: meetings.reminded };
}

const toldOfMeeting = ({ canary, readers, shownTo }: MeetingsByChance["told"][number]): Secret => ({
  canary,
  readers,
  shownTo,
  kind: "meeting",
  visibility: readers.size > 0 ? { scope: "party", partyIds: [...readers], aboutPartyIds: [] } : PRACTICE_ONLY,
  ...asOf(new Date()),
});

async function joins(scope: Scope, theCase: Case, random: RandomCase, name: string): Promise<Case> {
  const [client] = await createClients(scope, [aPerson(name, theCase.parties.length, random)]);
  const { version } = await getCase(scope, theCase.id);
  const party = { clientId: client?.id ?? "", role: "participant" as const, side: "" };
  const joined = await addParty(scope, { id: theCase.id, version, party });
  await screened(joined, joined.parties.slice(-1));
  await cleared(joined);
  await othersAnswered(joined);
  return joined;
}

/** A party leaves or comes back, by these steps. */
async function moves(scope: Scope, begun: Case, partyId: string, steps: PartyStatus[]): Promise<Case> {
  let theCase = begun;
  for (const to of steps) {
    const { id, version } = await getCase(scope, begun.id);
    theCase = await moveParty(scope, {
      id,
      version,
      partyId,
      to,
      on: dayIn("Europe/London", now()),
      hasAgreed: null,
      reason: "They said so",
      isOwnDecision: to === "withdrawn" || to === "refused" ? true : null,
      confidences: null,
    });
  }
  return theCase;
}

/** All else that a case has. */
async function furnish(
  scope: Scope,
  { theCase, items, remindedIds, sessionId, random, name }: Begun & { items: Secret[]; remindedIds: Set<string> },
): Promise<BuiltCase> {
  const ids = theCase.parties.map(({ partyId }) => partyId);
  const numbers = ids.map((_, index) => index);
  const people = numbers.map((index): Secret => ({
    canary: `${name}person${index}end`.toLowerCase(),
    kind: "person",
    visibility: forParty(ids[index] ?? ""),
    readers: new Set([ids[index] ?? ""]),
    ...asOf(new Date()),
  }));
  const { meeting, arrivals } = await meet(scope, theCase, random, name);
  items.push(meeting, ...(await certify(scope, theCase, name)));
  items.push(...(await represent(scope, theCase, random, name)));
  items.push(...(await bill(scope, theCase, name)));
  await askToSignAll(scope, theCase);
  const task = { title: `${name}task`, dueOn: "2031-01-05", assigneeId: scope.userId, clientId: null };
  await createTasks(scope, [{ ...task, caseId: theCase.id }]);
  const ofPractice = ["matter", "title", "remark", "task"].map((what): Secret => ({
    canary: `${name}${what}`.toLowerCase(),
    kind: "practice",
    visibility: PRACTICE_ONLY,
    readers: new Set(),
    ...asOf(new Date()),
  }));
  const restrictedIds = new Set(random.restricted.flatMap((index) => ids[index] ?? []));
  return { theCase, sessionId, arrivals, restrictedIds, remindedIds, secrets: [...people, ...items, ...ofPractice] };
}

/** Somebody shows a thing to more people, takes it out of the case, or releases it; gives what it then is. */
async function tryToWiden(
  scope: Scope,
  kept: Kept,
  afterwards: RandomCase["items"][number]["afterwards"],
): Promise<Secret> {
  const { secret, id, theCase } = kept;
  if (afterwards === "nothing" || id === "" || (secret.kind !== "file" && secret.kind !== "note")) return secret;
  if (afterwards === "release") return release(scope, kept);
  if (afterwards === "bring") return bring(scope, kept);
  if (afterwards === "widen") {
    const change = { id, version: 0, visibility: SHARED };
    await (
      secret.kind === "note"
        ? updateNote(scope, { ...change, saveId: newId() })
        : updateFile(scope, { ...change, name: `${secret.canary}.txt`, tags: [] })
    ).catch(refused);
    return secret;
  }
  if (secret.kind === "note") return secret;
  const clientId = theCase.parties[0]?.clientId ?? "";
  const moved = await moveFiles(scope, { ids: [id], clientId, caseId: null }).catch(refused);
  const visibility = secret.visibility.scope === "mediator" ? MEDIATOR_ONLY : PRACTICE_ONLY;
  // What is in somebody's confidence must not have gone.
  const isOpen = secret.visibility.aboutPartyIds.length === 0;
  return moved && isOpen ? { ...secret, visibility, readers: new Set() } : secret;
}

async function store(
  scope: Scope,
  { theCase, sessionId, secret, mark }: { theCase: Case; sessionId: string; secret: Secret; mark: FileMark },
): Promise<string> {
  const { canary, visibility, kind } = secret;
  const caseId = theCase.id;
  const named = [...visibility.partyIds, ...visibility.aboutPartyIds];
  const note = { kind: "file_note" as const, visibility, body: richTextOf(canary) };
  switch (kind) {
    case "note":
      return (await createNote(scope, { ...note, caseId, clientId: null })).id;
    case "sessionNote":
      await addNote(scope, { sessionId, note: { id: newId(), ...note } });
      return "";
    case "file": {
      const upload = { name: `${canary}.txt`, clientId: null, caseId, visibility, mark };
      return (await storeFile(scope, Readable.from([canary]), upload)).id;
    }
    case "proposal":
      await addProposal(scope, {
        id: sessionId,
        proposalId: newId(),
        issue: "Home",
        text: canary,
        byPartyId: mayOfferTogether(visibility, theCase.parties)
          ? JOINT
          : (visibility.aboutPartyIds[0] ?? named[0] ?? ""),
        visibility,
        countersId: null,
        on: null,
        release: null,
      });
      return "";
    default: {
      const clientIds = theCase.parties.map(({ clientId }) => clientId);
      const event = { kind: "note", text: canary, caseId, clientIds, visibility } as const;
      await inTransaction(() => recordEvent(scope, event));
      return "";
    }
  }
}

/** A meeting of some of the parties, who are invited, each to arrive at another time; they alone know the place. */
async function meet(scope: Scope, theCase: Case, random: RandomCase, name: string) {
  const asked = random.attending.flatMap((index) => theCase.parties[index] ?? []);
  // Who has left the case cannot be asked to come.
  const partyIds = asked.filter(({ leftAt }) => leftAt === null).map(({ partyId }) => partyId);
  const startsAt = new Date(Date.now() + (24 + (caseNumber % 5000)) * HOUR_MS);
  const arrivals = partyIds.map((partyId, index) => ({ partyId, minutesBefore: random.minutesBefore * index }));
  await createMeeting(
    scope,
    aMeetingInput(scope.ownerId, {
      type: "shuttle",
      caseId: theCase.id,
      partyIds,
      arrivals,
      startsAt: startsAt.toISOString(),
      location: { kind: "in_person", place: `${name}place` },
      title: `${name}title`,
      note: `${name}remark`,
      isInvitationSent: true,
      allowsOverlap: true,
    }),
  );
  const visibility: Visibility = partyIds.length > 0 ? { scope: "party", partyIds, aboutPartyIds: [] } : PRACTICE_ONLY;
  const meeting: Secret = {
    canary: `${name}place`.toLowerCase(),
    kind: "meeting",
    visibility,
    readers: new Set(partyIds),
    ...asOf(new Date()),
  };
  const times = arrivals.map(({ partyId, minutesBefore }): [string, string] => [
    partyId,
    new Date(startsAt.getTime() - minutesBefore * MINUTE_MS).toISOString(),
  ]);
  return { meeting, arrivals: new Map(times) };
}
