// The one gate to the outside: senders take what passed it and nothing else. It knows everybody of the practice, and
// judges a mail by things as they are now: whatever was checked before is checked again when the mail leaves.
import { samePerson } from "@app/shared/email-address";
import { normalForm } from "@app/shared/normal-form";
import { type NotToBeReached, notToBeReached } from "./gate-contact.service.ts";
import { areOpposed, type Directory, isAt, nameAt, type Person } from "./gate-people.service.ts";
import { type Expected, lostSince } from "./gate-expected.service.ts";
import { isInside, type KeptFile, mayGet } from "./gate-files.service.ts";
import { neutralMail } from "./gate-neutral.ts";
import type { OutgoingMail } from "./senders/sender.service.ts";

// Not exported: nobody else can make a mail that senders take, nor change one that they got.
const PASSED: unique symbol = Symbol("passed the outgoing gate");

export interface PassedMail {
  readonly [PASSED]: Readonly<OutgoingMail>;
  /** It was made so that nothing on its outside names the practice; senders add nothing that does. */
  readonly isNeutral: boolean;
}

const passed = (mail: OutgoingMail, isNeutral: boolean): PassedMail =>
  Object.freeze({ [PASSED]: Object.freeze({ ...mail, ...headersOf(mail) }), isNeutral });

/** As they are written: an encoded word (RFC 2047) would be read as something else than what was checked. */
const headersOf = ({ subject, fromName, toName }: OutgoingMail) => ({
  subject: withoutEncodedWords(subject),
  fromName: withoutAddress(withoutEncodedWords(fromName)),
  toName: withoutAddress(withoutEncodedWords(toName)),
});

const withoutEncodedWords = (line: string): string => line.replaceAll("=?", "= ?");

/** Mail programs show a name instead of the address behind it: what would read as an address passes for somebody else's. */
const withoutAddress = (name: string): string =>
  name.replace(/./gsu, (sign) => (normalForm(sign, "NFKC").includes("@") ? " " : sign));

/** What a sender sends. */
export const mailOf = (mail: PassedMail): Readonly<OutgoingMail> => mail[PASSED];

/** A mail that another answers, and so may quote. */
export interface Answered {
  /** Whose letter it was, where the practice wrote it. */
  clientId: string | null;
  partyId: string | null;
  /** Everybody who wrote it or got it. */
  addresses: readonly string[];
}

export interface Letter {
  mail: OutgoingMail;
  /** The client whose letter it is; null where nobody said so. */
  clientId: string | null;
  /** The case and party whose matters are in it. */
  party: { caseId: string; partyId: string } | null;
  /** What it answers, looked up when it leaves; nobody can send a letter without saying so. */
  answers: readonly Answered[];
  /** Who stands behind it: named in the practice's place where the practice must not be. */
  senderName: string;
  /** Of each file that it carries and that may not go to everybody, every place in which the practice keeps it. */
  keptFiles?: readonly KeptFile[][];
  /** Where its words are somebody's: to whom, outside the case, its writer confirmed that they tell nothing of the mediation. */
  saysNothingTo?: readonly string[];
  hasNeutralSubject?: boolean;
  /** Where it was written before: whose addresses these were then. */
  expected?: readonly Expected[];
}

export interface GateProblem {
  code: "other_party" | "outsider" | "words" | "changed" | "quote" | "calendar" | "layout" | NotToBeReached["code"];
  /** Which address is to blame; empty for none. */
  address: string;
  /** Whose it is; null for nobody known. */
  person: Person | null;
  /** Whom this person stands against. */
  against: Person | null;
}

export type Verdict =
  /** With those who must be reached discreetly, for whom it was made neutral. */
  | { passes: true; mail: PassedMail; discreet: readonly Reached[] }
  | { passes: false; problems: [GateProblem, ...GateProblem[]] };

/** Somebody whom a mail reaches, and where. */
export type Reached = Pick<GateProblem, "address" | "person">;

/** Judges one mail; gives it as it may leave, or everything that keeps it. What others wrote in it is read in this turn. */
export async function judge(directory: Directory, letter: Letter, one: string): Promise<Verdict> {
  const problems = problemsOf(directory, letter);
  const [first, ...others] = problems;
  if (first) return { passes: false, problems: [first, ...others] };
  const discreet = discreetlyReached(directory, letter);
  const [reached, ...alsoReached] = discreet;
  if (!reached) return { passes: true, mail: passed(byTheirName(directory, letter.mail), false), discreet };
  const { ownerId, practiceName } = directory;
  const { senderName, hasNeutralSubject = false } = letter;
  const neutral = await neutralMail({ group: ownerId, one }, letter.mail, {
    practiceName,
    senderName,
    hasNeutralSubject,
  });
  if (typeof neutral !== "string") return { passes: true, mail: passed(neutral, true), discreet };
  const problem = (each: Reached): GateProblem => ({ code: neutral, ...each, against: null });
  return { passes: false, problems: [problem(reached), ...alsoReached.map(problem)] };
}

function byTheirName(directory: Directory, mail: OutgoingMail): OutgoingMail {
  const [address = "", ...others] = mail.to;
  return others.length > 0 || mail.toName === ""
    ? mail
    : { ...mail, toName: nameAt(directory, { address, name: mail.toName }) };
}

/** A mail of the product itself, to one person and about nobody. */
export function passSystemMail(mail: OutgoingMail): PassedMail {
  const isForOne = mail.to.length === 1 && mail.cc.length === 0;
  if (!isForOne || mail.attachments.length > 0 || mail.calendar)
    throw new Error("a mail of the product goes to one person and carries nothing");
  return passed(mail, false);
}

/** Everything that keeps this mail from leaving, as far as it shows by whom it goes to. */
export function problemsOf(directory: Directory, letter: Unjudged): GateProblem[] {
  return [
    ...changed(directory, letter),
    ...left(directory, letter),
    ...opposed(directory, letter),
    ...outsiders(directory, letter),
    ...unconfirmed(directory, letter),
    ...quoted(directory, letter),
    ...addressesOf(letter.mail).flatMap((address) =>
      notToBeReached(directory, letter, address).map((found) => ({ ...found, address, against: null })),
    ),
  ];
}

type Addressed = Pick<OutgoingMail, "to" | "cc">;
type Unjudged = Omit<Letter, "mail"> & { mail: Addressed };

export const addressesOf = ({ to, cc }: Addressed): string[] => [...to, ...cc];

/**
 * Nobody gets what is also for, or goes also to, somebody on another side of a case of theirs; and what is for a client
 * goes to no other client of the practice, who would learn of the first by the address.
 */
function opposed(directory: Directory, { mail, clientId }: Pick<Letter, "clientId"> & { mail: Addressed }) {
  const context = clientId === null ? undefined : directory.client(clientId);
  const reached = addressesOf(mail).flatMap((address) => directory.at(address).map((person) => ({ address, person })));
  const found: GateProblem[] = [];
  for (const [index, { address, person }] of reached.entries()) {
    const before = [...(context ? [context] : []), ...reached.slice(0, index).map((one) => one.person)];
    const isTheirOwn = directory.at(address).some(({ id }) => id === context?.id);
    const isAnother = context !== undefined && person.kind === "client" && !isTheirOwn;
    const against =
      before.find((other) => areOpposed(other, person)) ??
      (isAnother ? context : undefined) ??
      before.find((other) => areUnrelated(other, person));
    if (against) found.push({ code: "other_party", address, person, against });
  }
  return found;
}

/** Names nobody: that they are not of this case is all there is to say. */
const outsiders = (directory: Directory, { mail, keptFiles = [], ...letter }: Unjudged): GateProblem[] =>
  addressesOf(mail)
    .filter((address) => !keptFiles.every((places) => mayGet(directory, { ...letter, address, places })))
    .map((address) => ({ code: "outsider", address, person: null, against: null }));

/** Those whom a letter of a case reaches and who may be told nothing of the mediation. */
export const outsideOf = (directory: Directory, { mail, party }: Pick<Letter, "party"> & { mail: Addressed }) =>
  party
    ? addressesOf(mail).filter((address) => !isInside(directory, { caseId: party.caseId, readerIds: null }, address))
    : [];

/** To whom outside the case a letter of it leaves only as its writer confirmed that it tells them nothing of the mediation. */
function unconfirmed(directory: Directory, { saysNothingTo, ...letter }: Unjudged): GateProblem[] {
  if (!saysNothingTo) return [];
  return outsideOf(directory, letter)
    .filter((address) => !saysNothingTo.some((one) => samePerson(one, address)))
    .map((address) => ({ code: "words", address, person: null, against: null }));
}

/**
 * What goes to somebody quotes no mail of another client, nor one that somebody wrote or got to whom theirs must not go.
 * For whom it is, a letter says itself; of every other mail the addresses do.
 */
function quoted(directory: Directory, { mail, clientId, ...letter }: Unjudged): GateProblem[] {
  const client = directory.client(clientId ?? "");
  const readers =
    clientId === null ? addressesOf(mail).map((address) => directory.at(address)) : [client ? [client] : []];
  const quotesOthers = letter.answers.some((answered) =>
    readers.some(
      (people) => people.length > 0 && !people.some((person) => mayQuote(directory, { ...letter, person, answered })),
    ),
  );
  return quotesOthers ? [{ code: "quote", address: "", person: null, against: null }] : [];
}

function mayQuote(
  directory: Directory,
  { person, answered, party }: Pick<Letter, "party"> & { person: Person; answered: Answered },
): boolean {
  const { clientId, partyId, addresses } = answered;
  const about = clientId === null ? undefined : directory.client(clientId);
  if (clientId !== null && (person.kind === "client" ? person.id !== clientId : about && areOpposed(about, person)))
    return false;
  if (partyId !== null && party !== null && partyId !== party.partyId) return false;
  const isTheirs = (address: string) =>
    directory.at(address).some(({ kind, id }) => kind === person.kind && id === person.id);
  const isOfOthers = (address: string) =>
    directory
      .at(address)
      .some((other) => areOpposed(person, other) || (person.kind === "client" && other.kind === "client"));
  // What they wrote or got themselves, they know, whoever else did.
  return addresses.some(isTheirs) || !addresses.some(isOfOthers);
}

/** Two clients who do not get their mail at one address. */
const areUnrelated = (one: Person, other: Person): boolean =>
  one.kind === "client" && other.kind === "client" && one.id !== other.id && !isAt(one, other.email);

const changed = (directory: Directory, letter: Omit<Letter, "mail">): GateProblem[] =>
  lostSince(directory, letter).map((address) => ({ code: "changed", address, person: null, against: null }));

/**
 * Nothing goes to an address that somebody has left and nobody has taken: who reads it now, nobody knows. Whose it was,
 * nobody learns who writes a letter for somebody.
 */
const left = (
  directory: Directory,
  { mail, clientId }: Pick<Letter, "clientId"> & { mail: Addressed },
): GateProblem[] =>
  addressesOf(mail).flatMap((address) => {
    const gone = directory.at(address).find(({ isFormer }) => isFormer);
    return gone ? [{ code: "changed", address, person: clientId === null ? null : gone, against: null }] : [];
  });

function discreetlyReached(directory: Directory, { mail, clientId }: Letter): Reached[] {
  const client = directory.client(clientId ?? "");
  const reached = addressesOf(mail).flatMap((address) => directory.at(address).map((person) => ({ address, person })));
  return [...reached, ...(client ? [{ address: client.email, person: client }] : [])].filter(
    ({ person }) => person.isRestricted,
  );
}
