// What the gate says to a person: why a mail cannot leave and what to do, naming nobody whom this person may not know.
import { can } from "@app/shared/access";
import type { SafeContact } from "@app/shared/clients";
import { waysToReach } from "@app/shared/safe-channels";
import { samePerson } from "@app/shared/email-address";
import type { Scope } from "../../core/trpc.ts";
import { visibleAmong } from "../clients/clients.service.ts";
import { areOpposed, type Person } from "./gate-people.service.ts";
import type { GateProblem, Reached } from "./outgoing-gate.service.ts";

/** Whom this reader may be told of. */
export type Names = (person: Person) => boolean;

export const NO_NAMES: Names = () => false;

/** Whether there is nobody of the practice whose name this person may not read. */
export const knowsNames = (scope: Scope): boolean => can(scope, "clients.read") && !scope.isAssignedOnly;

/** Those of these people whose names this person of the practice may read; of contacts, whoever sees every case. */
export async function namesFor(scope: Scope, problems: readonly Pick<GateProblem, "person" | "against">[]) {
  if (!can(scope, "clients.read")) return NO_NAMES;
  if (!scope.isAssignedOnly) return ({ isFormer }: Person) => !isFormer;
  const people = problems.flatMap(({ person, against }) => [person, against]);
  const ids = people.flatMap((person) => (person?.kind === "client" ? [person.id] : []));
  const seen = await visibleAmong(scope, ids);
  return ({ kind, id, isFormer }: Person) => kind === "client" && !isFormer && seen.has(id);
}

/** Why a mail cannot leave, for whoever sends it. To whom much is hidden, no address tells why. */
export async function wordsFor(scope: Scope, problems: readonly GateProblem[]): Promise<string> {
  const names = await namesFor(scope, problems);
  const mayKnow = ({ person, address }: GateProblem) => (person ? names(person) : knowsNames(scope) || address === "");
  return wordsIn(problems, mayKnow, (problem) => wordOf(problem, names));
}

/**
 * What stands beside a mail for everybody who finds it: they may see the client whose mail it is, and nobody may be
 * named, because the record stays longer than the name.
 */
export const wordsBeside = (problems: readonly GateProblem[], clientId: string | null): string =>
  wordsIn(
    problems,
    ({ person }) => !person || (person.kind === "client" && person.id === clientId && !person.isFormer),
    (problem) => wordOf(problem, NO_NAMES),
  );

/** What is to be said of these, and of each address that is somebody's whom the reader may not see the same one sentence. */
function wordsIn(
  problems: readonly GateProblem[],
  mayKnow: (problem: GateProblem) => boolean,
  wordOfKnown: (problem: GateProblem) => string,
): string {
  const known = problems.filter(mayKnow);
  const withheld = problems.filter(({ address }) => !known.some((one) => one.address === address));
  // By their addresses, because problems stand in the order of their reasons.
  const words = withheld.map(({ address }) => withheldWord(address)).toSorted();
  return [...new Set([...known.map(wordOfKnown), ...words])].join(" ");
}

/** Says nothing of who they are, nor why: whoever writes may not see them. */
export const withheldWord = (address: string): string =>
  `${address} cannot get this message. Take the address out, write separately, or ask the owner of the practice.`;

/** Whether somebody among these must be reached discreetly whom this person may be told of. */
export async function mayTellDiscreet(scope: Scope, discreet: readonly Reached[]): Promise<boolean> {
  const names = await namesFor(
    scope,
    discreet.map(({ person }) => ({ person, against: null })),
  );
  return discreet.some(({ person }) => person && names(person));
}

function wordOf({ code, address, person, against }: GateProblem, names: Names): string {
  const who = person && names(person) ? person.name : null;
  switch (code) {
    case "other_party":
      if (!who || !against || !names(against)) return withheldWord(address);
      if (!areOpposed(person ?? against, against))
        return `${who} (${address}) is another client of yours. Take the address out, or write separately.`;
      return isShared(person, against, address)
        ? `${who} and ${against.name} belong to different parties of a case and share ${address}. Reach each of them another way.`
        : `${who} (${address}) and ${against.name} belong to different parties of a case. Take one of them out, or write separately.`;
    case "outsider":
      return `${address} may not have this file: it belongs to a case or to one client. Take the address or the file out. Where it is of a case, you can also record there that all consented, a court ordered or a law requires that it goes to this address.`;
    case "words":
      return `${address} is neither a party of this case nor somebody who represents one, so nothing that was said in mediation may be told there without every participant’s consent or an order. Write it again, and confirm that it says nothing of it.`;
    case "not_by_mail":
      return who && person?.safeContact
        ? `${who} ${mayNotBeEmailed(person.safeContact)}`
        : `Whoever ${address} belongs to may not be emailed. Take the address out.`;
    case "unasked":
      return who
        ? `${who} is not to be contacted: whoever came first has not agreed to it, or it has to wait for their safety or for the conflict check. Look at the case; what is about another case of theirs, write from there.`
        : withheldWord(address);
    case "archived":
      return who ? `${who} is archived. Restore this client first, then write.` : withheldWord(address);
    case "died":
      return who ? `${who} has died, as a case says. Write to whoever acts for them.` : withheldWord(address);
    case "perhaps_died":
      return who
        ? `A case of ${who} ended because somebody died. Make sure whom it reaches, and write from the case that it is about.`
        : withheldWord(address);
    case "changed":
      return address
        ? `${address} is no longer the address of whom this was written to. Check the address and write again.`
        : "The client or case that this was written for has changed. Open the client and write again.";
    case "quote":
      return "It answers a message that somebody else wrote or got, which whoever gets this may not see. Write a new message that quotes nothing of it.";
    case "calendar":
      return "The calendar file cannot be read. Somebody who gets it must be reached discreetly, and nobody can tell what it shows. Take it out, or write the times in the message.";
    case "layout":
      return "Somebody who gets this mail must be reached discreetly, and its layout is too deep or too large to be made so. Send it as plain text.";
  }
}

const isShared = (person: Person | null, against: Person, address: string): boolean =>
  person !== null && samePerson(person.email, against.email) && address !== "";

const mayNotBeEmailed = (safe: SafeContact): string => `may not be emailed. ${waysToReach(safe)}`;

/**
 * What somebody has to do where a mail stays only because those it is for may not be mailed: for each of them who may be
 * named, to reach them another way. Empty where that is not all there is to say.
 */
export function askedToTell(problems: readonly GateProblem[], names: Names): string[] {
  const asked = problems.flatMap(({ code, person }) =>
    code === "not_by_mail" && person?.safeContact && names(person)
      ? [`Tell ${person.name} what a message says that did not leave: ${mayNotBeEmailed(person.safeContact)}`]
      : [],
  );
  return asked.length === problems.length ? [...new Set(asked)] : [];
}
