// Whether somebody may be mailed at all, whatever is in the mail.
import { type Directory, type Person, sidesEver } from "./gate-people.service.ts";

export interface NotToBeReached {
  code: "not_by_mail" | "unasked" | "archived" | "died" | "perhaps_died";
  person: Person;
}

interface Meant {
  /** The client whose letter it is; null where nobody said so. */
  clientId: string | null;
  party: { caseId: string; partyId: string } | null;
}

/**
 * Those whom a mail to this address would reach, though they are not to be reached by it: whoever is there, and whoever
 * the letter is for, who may be reached at an address that is on no record as well.
 */
export function notToBeReached(directory: Directory, meant: Meant, address: string): NotToBeReached[] {
  const client = directory.client(meant.clientId ?? "");
  const known = directory.at(address).filter(({ isFormer }) => !isFormer);
  const current = known.length === 0 && client ? [client] : known;
  const all = [...directory.at(address), ...leftTo(directory, address)];
  const withClient = client && !all.some(({ id }) => id === client.id) ? [...all, client] : all;
  const reasons: [NotToBeReached["code"], readonly Person[], (person: Person) => boolean][] = [
    ["not_by_mail", current, ({ safeContact }) => safeContact?.mayEmail === false],
    ["archived", current, (person) => person.isArchived && (person.id === client?.id || current.every(isPutAway))],
    ["unasked", withClient, (person) => isKeptUnasked(directory, meant, person)],
    ["died", withClient, (person) => hasDied(directory, person)],
    ["perhaps_died", withClient, (person) => meant.party === null && hasPerhapsDied(directory, person)],
  ];
  return reasons.flatMap(([code, people, test]) => people.filter(test).map((person) => ({ code, person })));
}

const isPutAway = ({ isArchived }: Person): boolean => isArchived;

/** Whoever left this address to somebody else may read there still; whoever shares a case with that other has it from them. */
function leftTo(directory: Directory, address: string): Person[] {
  const current = directory.at(address);
  const cases = new Set(current.flatMap(sidesEver).map(({ caseId }) => caseId));
  return directory.onceAt(address).filter((person) => !sidesEver(person).some(({ caseId }) => cases.has(caseId)));
}

/**
 * Whoever came first may keep the others from hearing of them, or be in danger by it: no invitation to a meeting, and no
 * letter, tells those of whom nobody has asked anything yet, nor whoever stands or stood on their side. What somebody gets
 * of another case of theirs, with other people, is none of that; a mail that does not say of which case it is may be of
 * this one. Nor is a case of the same people opened for them under another name.
 */
function isKeptUnasked(directory: Directory, { party }: Meant, person: Person): boolean {
  const own = sidesEver(person);
  const meant = party ? own.filter(({ caseId }) => caseId === party.caseId) : own;
  const isFromThis = party !== null && person.kind === "client" && directory.isKeptFrom(party.caseId, person.id);
  return isFromThis || meant.some(({ caseId, partyId }) => directory.isKeptUnasked(caseId, partyId));
}

/** Whoever spoke for them may be written to still. */
const hasDied = (directory: Directory, { kind, places }: Person): boolean =>
  kind === "client" &&
  places.some(({ caseId, partyId }) => partyId !== null && directory.died(caseId, partyId) === "yes");

/** Where nobody noted whose death ended a case, only who writes of that case knows whom they write to. */
const hasPerhapsDied = (directory: Directory, person: Person): boolean =>
  sidesEver(person).some(({ caseId, partyId }) => directory.died(caseId, partyId) === "perhaps");
