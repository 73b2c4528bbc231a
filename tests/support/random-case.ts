import { Readable } from "node:stream";
import { newId } from "@app/server/core/ids";
import type { Scope } from "@app/server/core/trpc";
import { createCases } from "@app/server/features/cases/cases.service";
import { issueCertificate } from "@app/server/features/certificates/certificates.service";
import { createClients } from "@app/server/features/clients/clients.service";
import { linkContact } from "@app/server/features/contacts/contact-links.service";
import { createContacts } from "@app/server/features/contacts/contacts.service";
import { storeFile } from "@app/server/features/files/files.service";
import { recordEvent } from "@app/server/features/history/history.service";
import { createMeeting } from "@app/server/features/meetings/booking.service";
import { createNote } from "@app/server/features/notes/notes.service";
import { addProposal } from "@app/server/features/sessions/session-proposals.service";
import { addNote, startSession } from "@app/server/features/sessions/sessions.service";
import { JOINT } from "@app/shared/sessions";
import { richTextOf } from "@app/shared/rich-text";
import type { Case } from "@app/shared/cases";
import { caucusOf, forParty, MEDIATOR_ONLY, PRACTICE_ONLY, SHARED, type Visibility } from "@app/shared/visibility";
import fc from "fast-check";
import { aContact } from "./contacts-access.ts";
import { aCaseInput, aClient, aMeetingInput } from "./people.ts";

const KINDS = ["note", "file", "history", "sessionNote", "proposal"] as const;
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

/** A case by chance: its parties, and what is kept in it for whose eyes. */
export const aRandomCase = fc.record({
  parties: fc.integer({ min: 2, max: 3 }),
  items: fc.array(
    fc.record({
      kind: fc.constantFrom(...KINDS),
      secrecy: fc.constantFrom(...SECRECIES),
      of: fc.nat(2),
      and: fc.nat(2),
    }),
    { minLength: 6, maxLength: 10 },
  ),
  attending: fc.subarray([0, 1, 2], { minLength: 1 }),
  minutesBefore: fc.constantFrom(0, 10, 30),
  /** The parties whose solicitors are among the contacts. */
  represented: fc.subarray([0, 1, 2]),
});
export type RandomCase = typeof aRandomCase extends fc.Arbitrary<infer Value> ? Value : never;

/** Something that is kept, with the one word that stands in it, and the parties who may come to know that word. */
export interface Secret {
  canary: string;
  kind: (typeof KINDS)[number] | "person" | "practice" | "meeting" | "certificate" | "contact";
  visibility: Visibility;
  readers: ReadonlySet<string>;
}

export interface BuiltCase {
  theCase: Case;
  sessionId: string;
  secrets: Secret[];
}

const HOUR_MS = 3_600_000;
let caseNumber = 0;

function visibilityOf({ secrecy, of, and }: RandomCase["items"][number], ids: string[]): [Visibility, string[]] {
  const one = ids[of % ids.length] ?? "";
  const other = ids[and % ids.length] ?? "";
  switch (secrecy) {
    case "practice":
      return [PRACTICE_ONLY, []];
    case "mediator":
      return [MEDIATOR_ONLY, []];
    case "shared":
      return [SHARED, ids];
    case "own":
      return [forParty(one), [one]];
    case "both":
      return [{ scope: "party", partyIds: [one, other], aboutPartyIds: [] }, [one, other]];
    case "caucus":
      return [caucusOf(one), []];
    case "sharedThoughInConfidence":
      return [{ ...SHARED, aboutPartyIds: [one] }, [one]];
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
    numbers.map((index) => {
      const word = `${name}person${index}end`;
      return aClient({
        lastName: word,
        email: `${word}@example.org`,
        phones: [],
        needs: word,
        address: { lines: [word], postcode: "", country: "" },
      });
    }),
  );
  const mediators = mediatorIds.map((userId, index) => ({ userId, isLead: index === 0 }));
  const clientIds = clients.map(({ id }) => id);
  const [theCase] = await createCases(scope, [aCaseInput(clientIds, { mediators, matter: `${name}matter` })]);
  if (!theCase) throw new Error("the case that was just stored is missing");
  const ids = theCase.parties.map(({ partyId }) => partyId);
  const people = numbers.map((index): Secret => ({
    canary: `${name}person${index}end`.toLowerCase(),
    kind: "person",
    visibility: forParty(ids[index] ?? ""),
    readers: new Set([ids[index] ?? ""]),
  }));
  const { id: sessionId } = await startSession(scope, { caseId: theCase.id, meetingId: null });
  const items: Secret[] = [];
  for (const [index, item] of random.items.entries()) {
    const [visibility, readers] = visibilityOf(item, ids);
    const secret = {
      canary: `${name}item${index}end`.toLowerCase(),
      kind: item.kind,
      visibility,
      readers: new Set(readers),
    };
    await store(scope, { theCase, sessionId, secret });
    items.push(secret);
  }
  items.push(await meet(scope, theCase, random, name), await certify(scope, theCase));
  items.push(...(await represent(scope, theCase, random, name)));
  const ofPractice = ["matter", "title", "remark"].map((what): Secret => ({
    canary: `${name}${what}`.toLowerCase(),
    kind: "practice",
    visibility: PRACTICE_ONLY,
    readers: new Set(),
  }));
  return { theCase, sessionId, secrets: [...people, ...items, ...ofPractice] };
}

async function store(
  scope: Scope,
  { theCase, sessionId, secret }: { theCase: Case; sessionId: string; secret: Secret },
): Promise<void> {
  const { canary, visibility, kind } = secret;
  const caseId = theCase.id;
  const note = { kind: "file_note" as const, visibility, body: richTextOf(canary) };
  switch (kind) {
    case "note":
      return void (await createNote(scope, { ...note, caseId, clientId: null }));
    case "sessionNote":
      return void (await addNote(scope, { sessionId, note: { id: newId(), ...note } }));
    case "file":
      return void (await storeFile(scope, Readable.from([canary]), {
        name: `${canary}.txt`,
        clientId: null,
        caseId,
        visibility,
      }));
    case "proposal":
      return void (await addProposal(scope, {
        id: sessionId,
        proposalId: newId(),
        issue: "Home",
        text: canary,
        byPartyId: JOINT,
        visibility,
        countersId: null,
        release: null,
      }));
    default: {
      const clientIds = theCase.parties.map(({ clientId }) => clientId);
      return recordEvent(scope, { kind: "note", text: canary, caseId, clientIds, visibility });
    }
  }
}

/** A meeting of some of the parties, who are invited, each to arrive at another time; they alone know the place. */
async function meet(scope: Scope, theCase: Case, random: RandomCase, name: string): Promise<Secret> {
  const partyIds = random.attending.flatMap((index) => theCase.parties[index]?.partyId ?? []);
  await createMeeting(
    scope,
    aMeetingInput(scope.ownerId, {
      caseId: theCase.id,
      partyIds,
      arrivals: partyIds.map((partyId, index) => ({ partyId, minutesBefore: random.minutesBefore * index })),
      startsAt: new Date(Date.now() + (24 + (caseNumber % 5000)) * HOUR_MS).toISOString(),
      location: { kind: "in_person", place: `${name}place` },
      title: `${name}title`,
      note: `${name}remark`,
      isInvitationSent: true,
      allowsOverlap: true,
    }),
  );
  const visibility: Visibility = partyIds.length > 0 ? { scope: "party", partyIds, aboutPartyIds: [] } : PRACTICE_ONLY;
  return { canary: `${name}place`.toLowerCase(), kind: "meeting", visibility, readers: new Set(partyIds) };
}

/** A certificate of the first party, known by its number. */
async function certify(scope: Scope, theCase: Case): Promise<Secret> {
  const partyId = theCase.parties[0]?.partyId ?? "";
  const { number } = await issueCertificate(scope, {
    caseId: theCase.id,
    partyId,
    reason: "exempt",
    issuedOn: "2026-01-05",
  });
  return {
    canary: number.toLowerCase(),
    kind: "certificate",
    visibility: forParty(partyId),
    readers: new Set([partyId]),
  };
}

/** Solicitors, each on one party's side. */
async function represent(scope: Scope, theCase: Case, { represented }: RandomCase, name: string): Promise<Secret[]> {
  const sides = represented.flatMap((index) => theCase.parties[index]?.partyId ?? []);
  const canaries = sides.map((_, index) => `${name}solicitor${index}end`);
  const contacts = await createContacts(
    scope,
    canaries.map((lastName) => aContact({ lastName, phones: [] })),
  );
  for (const [index, { id }] of contacts.entries())
    await linkContact(scope, { id, caseId: theCase.id, role: "solicitor", partyId: sides[index] ?? null });
  return sides.map((partyId, index) => ({
    canary: (canaries[index] ?? "").toLowerCase(),
    kind: "contact",
    visibility: forParty(partyId),
    readers: new Set([partyId]),
  }));
}
