// Whether two names are likely the same person's, through accents, typos and nicknames.
import { doubleMetaphone } from "double-metaphone";
import { distance } from "fastest-levenshtein";
import { mailboxKey, samePerson } from "@app/shared/email-address";
import { foldText, ORGANISATION_MAX_LENGTH } from "@app/shared/text";
import { NICKNAMES } from "./nicknames.ts";

const PHONE_DIGITS = 9;
const SHORT_NAME = 4;
const SURNAME_WEIGHT = 0.6;
/** One letter of a usual name may be wrong, or it sounds the same. */
const SURELY_SAME = 0.8;
const BORN_AND_FIRST_NAME = 0.85;

export interface Known {
  firstName: string;
  lastName: string;
  knownAs: string;
  organisation: string;
  email: string;
  phones: string[];
  dateOfBirth: string;
}

const canonical = new Map(NICKNAMES.flatMap((names) => names.map((name) => [name, names[0] ?? name] as const)));
const canonicalName = (name: string): string => canonical.get(name) ?? name;

/** Comparing two names takes the product of their lengths, and the keys of one its square: no name is longer. */
const READ_MAX = 2 * ORGANISATION_MAX_LENGTH;
const read = (text: string): string => foldText(text.slice(0, READ_MAX));

const wordsOf = (text: string): string[] =>
  read(text)
    .split(/[ .&-]+/)
    .filter(Boolean);
const lastDigits = (phone: string): string => phone.replace(/\D/g, "").slice(-PHONE_DIGITS);

/** Every way to leave one letter out: two words that differ in one letter share one of them. */
function withoutOneLetter(word: string): string[] {
  if (word.length < SHORT_NAME) return [word];
  return [word, ...Array.from(word, (_letter, index) => word.slice(0, index) + word.slice(index + 1))];
}

const keysOfWord = (word: string): string[] => [
  ...doubleMetaphone(word).map((sound) => `s:${sound}`),
  ...withoutOneLetter(word).map((variant) => `n:${variant}`),
];

/** A first name with the first letter of a surname: two that differ in more than one letter of it still share this. */
function initialKeys({ firstName, knownAs, lastName }: Known): string[] {
  const firsts = [...wordsOf(firstName), ...wordsOf(knownAs)].map(canonicalName);
  const initials = new Set(wordsOf(lastName).map((word) => word.slice(0, 1)));
  return firsts.flatMap((first) => [...initials].map((initial) => `i:${first}:${initial}`));
}

/** What a record is stored under: two that are likely the same share at least one key. */
export const storedKeys = (known: Known): string[] => [...new Set([...matchKeys(known), ...initialKeys(known)])];

/** What a record is looked up by; its first name too, because somebody may have filled in a form the wrong way round. */
export const lookupKeys = (known: Known): string[] => [
  ...new Set([...storedKeys(known), ...wordsOf(known.firstName).flatMap(keysOfWord)]),
];

/**
 * The ways to look a name up, the narrowest first; a record is found that has one key of each group. With the surname
 * there goes the first name, so that of a surname that many have those are met who have the first name too.
 */
export function nameLookups(known: Known): string[][][] {
  const exact = new Set(exactKeys(known));
  const broad = lookupKeys(known).filter((key) => !exact.has(key));
  const ofSurname = wordsOf(known.lastName).flatMap(keysOfWord);
  return [[initialKeys(known), ofSurname], [broad]].filter((groups) => groups.every(({ length }) => length > 0));
}

/** What of a record decides whether a conflict check still holds: a change of it makes the check outdated. */
export function matchKeys(known: Known): string[] {
  const surnames = [...wordsOf(known.lastName), ...wordsOf(known.organisation)];
  const keys = surnames.flatMap(keysOfWord);
  return [...new Set([...keys, ...exactKeys(known)])];
}

/** The keys that only the very same phone number, email or birth date makes. */
export function exactKeys(known: Pick<Known, "phones" | "email" | "dateOfBirth">): string[] {
  const phones = known.phones.map(lastDigits).filter((digits) => digits.length === PHONE_DIGITS);
  const keys = phones.map((digits) => `p:${digits}`);
  if (known.email) keys.push(emailKey(known.email));
  if (known.dateOfBirth) keys.push(`b:${known.dateOfBirth}`);
  return keys;
}

/** The key of everybody whose mail this address reaches. */
export const emailKey = (address: string): string => `e:${mailboxKey(address)}`;

export interface Likeness {
  /** From 0, nothing in common, to 1, certainly the same. */
  score: number;
  fields: ("name" | "email" | "phone" | "birth date")[];
}

/** How likely two records are the same person or organisation, and what they have in common. */
export function likeness(one: Known, other: Known): Likeness {
  const name = nameLikeness(one, other);
  const isEmail = samePerson(one.email, other.email);
  const numbers = new Set(other.phones.map(lastDigits));
  const isPhone = one.phones.map(lastDigits).some((digits) => digits.length === PHONE_DIGITS && numbers.has(digits));
  const isBorn = one.dateOfBirth !== "" && one.dateOfBirth === other.dateOfBirth;
  // Somebody who married has another surname, and the same first name and birth date.
  const isOfSameFirstName = best(firstNames(one), firstNames(other)) >= SURELY_SAME;
  const born = isOfSameFirstName ? Math.max(BORN_AND_FIRST_NAME, 0.3 + name * 0.7) : 0.3 + name * 0.7;
  const scores = [name, isEmail ? 1 : 0, isPhone ? 0.9 : 0, isBorn ? born : 0];
  return {
    score: Math.round(Math.max(...scores) * 100) / 100,
    fields: [
      ...(name >= NAME_THRESHOLD ? (["name"] as const) : []),
      ...(isEmail ? (["email"] as const) : []),
      ...(isPhone ? (["phone"] as const) : []),
      ...(isBorn ? (["birth date"] as const) : []),
    ],
  };
}

export const NAME_THRESHOLD = 0.75;

function nameLikeness(one: Known, other: Known): number {
  if (one.organisation && other.organisation) return wordLikeness(read(one.organisation), read(other.organisation));
  if (!one.lastName || !other.lastName) return 0;
  const straight =
    surnames(one.lastName, other.lastName) * SURNAME_WEIGHT +
    best(firstNames(one), firstNames(other)) * (1 - SURNAME_WEIGHT);
  // A form that was filled in the wrong way round.
  const [toFirst, toLast] = [
    best(wordsOf(one.lastName), firstNames(other)),
    best(firstNames(one), wordsOf(other.lastName)),
  ];
  const isSwapped = Math.min(toFirst, toLast) >= SURELY_SAME;
  return Math.max(straight, isSwapped ? (toFirst + toLast) / 2 : 0);
}

const firstNames = (known: Known): string[] => [...wordsOf(known.firstName), ...wordsOf(known.knownAs)];

const surnames = (one: string, other: string): number =>
  Math.max(wordLikeness(read(one), read(other)), best(wordsOf(one), wordsOf(other)) * 0.95);

const best = (ones: string[], others: string[]): number =>
  Math.max(0, ...ones.flatMap((one) => others.map((other) => wordLikeness(one, other))));

function wordLikeness(one: string, other: string): number {
  if (one === other) return 1;
  if (canonicalName(one) === canonicalName(other)) return 0.95;
  if (one.length === 1 || other.length === 1) return one[0] === other[0] ? 0.7 : 0;
  const edited = 1 - distance(one, other) / Math.max(one.length, other.length);
  const sounds = new Set(doubleMetaphone(other));
  const isSameSound = doubleMetaphone(one).some((sound) => sound !== "" && sounds.has(sound));
  return isSameSound ? Math.max(edited, 0.85) : edited;
}
