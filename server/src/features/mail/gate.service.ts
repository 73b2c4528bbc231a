// The gate for one mail at a time: looks up whom it reaches, and gives it as it may leave.
import type { Scope } from "../../core/trpc.ts";
import { addressesInCalendars } from "./calendar-addresses.ts";
import { type Directory, directoryFor } from "./gate-people.service.ts";
import {
  addressesOf,
  type GateProblem,
  judge,
  type Letter,
  problemsOf,
  type Verdict,
} from "./outgoing-gate.service.ts";

/** Everybody whom these letters could reach. */
export const directoryOf = (
  ownerId: string,
  letters: readonly (Pick<Letter, "clientId" | "party" | "answers" | "keptFiles"> & {
    mail: Pick<Letter["mail"], "to" | "cc">;
  })[],
): Promise<Directory> =>
  directoryFor({
    ownerId,
    addresses: letters.flatMap(({ mail, answers }) => [
      ...addressesOf(mail),
      ...answers.flatMap(({ addresses }) => addresses),
    ]),
    clientIds: letters.flatMap(({ clientId, answers, keptFiles = [] }) => [
      ...(clientId === null ? [] : [clientId]),
      ...keptFiles.flat().flatMap((kept) => kept.clientId ?? []),
      ...answers.flatMap((answered) => answered.clientId ?? []),
    ]),
    caseIds: letters.flatMap(({ party, keptFiles = [] }) => [
      ...(party ? [party.caseId] : []),
      ...keptFiles.flat().flatMap(({ caseId }) => caseId ?? []),
    ]),
  });

/** Whether somebody reads mail at this address whose contact is restricted: what it says names nobody either. */
export async function isReachedDiscreetly(ownerId: string, address: string): Promise<boolean> {
  const letter = { mail: { to: [address], cc: [] }, clientId: null, party: null, answers: [] };
  return (await directoryOf(ownerId, [letter])).at(address).some(({ isRestricted }) => isRestricted);
}

export async function judgeOne(writer: Pick<Scope, "ownerId" | "userId">, letter: Letter): Promise<Verdict> {
  const [problem, ...others] = await namedProblems(writer.ownerId, letter);
  if (problem) return { passes: false, problems: [problem, ...others] };
  return judge(await directoryOf(writer.ownerId, [letter]), letter, writer.userId);
}

/** Whom its calendar files name must be such as could get it too, save that no file goes to them and none of its words. */
async function namedProblems(ownerId: string, letter: Letter): Promise<GateProblem[]> {
  const { mail, clientId, party, answers, senderName } = letter;
  const { people, mentioned } = addressesInCalendars(mail.attachments);
  const judged = async (named: readonly string[]): Promise<GateProblem[]> => {
    if (named.length === 0) return [];
    const reached = { to: mail.to, cc: [...new Set([...mail.cc, ...named])] };
    const asked = { clientId, party, answers, senderName, mail: reached };
    return problemsOf(await directoryOf(ownerId, [asked]), asked);
  };
  // A help desk that somebody's calendar names is nobody's business; somebody from another side is.
  const others = (await judged(mentioned)).filter(({ code }) => code === "other_party");
  return [...(await judged(people)), ...others];
}
