// The gate for one mail at a time: looks up whom it reaches, and gives it as it may leave.
import type { Scope } from "../../core/trpc.ts";
import { type Directory, directoryFor } from "./gate-people.service.ts";
import { namesFor, NO_NAMES, wordsOf } from "./gate-words.service.ts";
import { addressesOf, type GateProblem, judge, type Letter, type Verdict } from "./outgoing-gate.service.ts";

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

export const judgeOne = async (writer: Pick<Scope, "ownerId" | "userId">, letter: Letter): Promise<Verdict> =>
  judge(await directoryOf(writer.ownerId, [letter]), letter, writer.userId);

/** Why a mail cannot leave, for this reader. */
export const reasonFor = async (reader: Scope | null, problems: readonly GateProblem[]): Promise<string> =>
  wordsOf(problems, reader ? await namesFor(reader, problems) : NO_NAMES);
