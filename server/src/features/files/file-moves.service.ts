// Where a kept file goes: whose confidence it is goes with it, and whoever answers for the places has their say.
import type { z } from "zod";
import type { Case } from "@app/shared/cases";
import type { moveFilesSchema } from "@app/shared/files";
import { whyNotHeld } from "@app/shared/confidences";
import { staysInCase } from "@app/shared/privileges";
import { answersFor } from "@app/shared/team-access";
import { forParty, MEDIATOR_ONLY, mustConsent, PRACTICE_ONLY, type Visibility } from "@app/shared/visibility";
import { inTransaction } from "../../core/database.ts";
import { badField, forbidden, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { assertMayLend, casesApartFrom, type Lent } from "../cases/case-team.service.ts";
import { getCase } from "../cases/cases.service.ts";
import { assertPartiesStay } from "../cases/named-parties.service.ts";
import { mayRead, staffReader } from "../visibility/visibility.service.ts";
import { markWords, save } from "./file-changes.service.ts";
import { assertNotWidened } from "./file-copies.service.ts";
import { type FileDoc, isOfAllParties } from "./files.model.ts";
import { assertMayHold, placeOf, readableFile, tell } from "./files.service.ts";

/**
 * In another place others could weaken its mark, other consents would let it out, and nobody would know any more whose
 * it was that was shared here.
 */
function assertMayTakeOut(scope: Scope, doc: FileDoc, { from, to }: { from: Case; to: Case | null }): void {
  const { name } = doc;
  if (isOfAllParties(doc))
    throw wrongState(`${name} was shared with the parties of its case, so it stays there, whoever reads it by now.`);
  const isAnswering = answersFor(scope, from.mediators);
  if (!isAnswering) assertIsAnybodys(doc);
  if (to === null && !isAnswering)
    throw forbidden(
      `${name} would be in no case any more, so only the owner of the practice or a mediator of its case moves it. Ask one of them.`,
    );
  if (to === null || goesWithAll(from, to) || [from, to].every((one) => mayTakeBetween(scope, doc, one))) return;
  throw forbidden(
    `${name} would be in a case of other people, so only the owner of the practice or a mediator of both cases moves it. Ask one of them.`,
  );
}

/** Whoever answers for the case; while nobody mediates it, an intake, also whoever made the file. */
const mayTakeBetween = (scope: Scope, { createdBy }: FileDoc, { mediators }: Case): boolean =>
  answersFor(scope, mediators) || (mediators.length === 0 && createdBy === scope.userId);

/** What whoever does not answer for its case may take out of it. */
function assertIsAnybodys({ name, mark, visibility }: FileDoc): void {
  const who = "so only the owner of the practice or a mediator of its case moves it. Ask one of them.";
  if (staysInCase(mark.privilege)) throw forbidden(`${name} is ${markWords(mark)}, ${who}`);
  if (mustConsent(visibility).length > 0) throw forbidden(`${name} is in somebody’s confidence, ${who}`);
}

/** Whether everybody of this case is in that one too. */
const goesWithAll = (from: Case, to: Case): boolean =>
  from.parties.every(({ clientId }) => to.parties.some((party) => party.clientId === clientId));

/** Whose case it was before others: of a file that comes back there, nobody's else. */
function cameFrom({ cameFromId }: FileDoc, from: Case | null, to: Case | null): string | null {
  const before = cameFromId ?? (from === null || to === null || goesWithAll(from, to) ? null : from.id);
  return before === to?.id ? null : before;
}

/** Puts files somewhere else; all of them or, where one must stay, none. */
export async function moveFiles(
  scope: Scope,
  { ids, clientId, caseId }: z.output<typeof moveFilesSchema>,
): Promise<{ changed: number }> {
  if (!clientId && !caseId) throw badField("clientId", "Choose a client or a case.");
  const to = await placeOf(scope, { clientId, caseId });
  await inTransaction(async () => {
    for (const id of ids) {
      const doc = await readableFile(scope, id);
      const from = doc.caseId ? await getCase(scope, doc.caseId) : null;
      await assertMayLend(scope, await lentBy(doc, clientId, to));
      const isSameCase = from !== null && from.id === to?.id;
      if (from && !isSameCase) assertMayTakeOut(scope, doc, { from, to });
      const visibility = isSameCase
        ? doc.visibility
        : from
          ? movedVisibility(doc, from, to)
          : takenIn(doc, clientId, to);
      if (!isSameCase) {
        assertMayHold(to, { ...doc, visibility });
        assertStillRead(scope, to, { ...doc, visibility });
        await assertPartiesStay(scope.ownerId, { caseId, visibility });
        const { blobId } = doc;
        await assertNotWidened(scope.ownerId, { theCase: to, clientId, visibility, blobId, fileId: id });
      }
      await tell(
        scope,
        await save(scope, doc, { clientId, caseId, visibility, cameFromId: cameFrom(doc, from, to) }),
        "moved here",
      );
    }
  });
  return { changed: ids.length };
}

/** What would be in a confidence that its mover may not read does not vanish before their eyes. */
function assertStillRead(scope: Scope, to: Case | null, { name, visibility }: FileDoc): void {
  if (!mayRead(staffReader(scope, to), visibility))
    throw forbidden(
      `${name} would be in its client’s confidence there, and you could not open it any more. Ask somebody who may read private notes to move it.`,
    );
}

/** From which cases this takes a file: all who found it there, and find it no more, are asked. */
async function lentBy(
  { ownerId, createdBy, ...at }: FileDoc,
  clientId: string | null,
  to: Case | null,
): Promise<Lent[]> {
  if (at.caseId !== null) return at.caseId === to?.id ? [] : [{ createdBy, caseIds: [at.caseId] }];
  if (at.clientId === null || (to === null && at.clientId === clientId)) return [];
  if (!to?.parties.some((party) => party.clientId === at.clientId)) return [{ createdBy, clientId: at.clientId }];
  return [{ createdBy, caseIds: await casesApartFrom(ownerId, at.clientId, to) }];
}

/** Who reads a file in another place: whose confidence it is goes with it, and else the practice alone. */
function movedVisibility(doc: FileDoc, from: Case, to: Case | null): Visibility {
  const { name, visibility } = doc;
  assertKnownTo(to, doc, from.mediators);
  const samePerson = (partyId: string) => {
    const clientId = from.parties.find((party) => party.partyId === partyId)?.clientId;
    return to?.parties.find((party) => party.clientId === clientId)?.partyId ?? null;
  };
  const confidants = mustConsent(visibility);
  const there = confidants.map(samePerson).filter((id) => id !== null);
  if (there.length < confidants.length)
    throw wrongState(`${name} is in the confidence of a party who is not in that case, so it stays where it is.`);
  if (visibility.scope === "mediator") return { ...MEDIATOR_ONLY, aboutPartyIds: there };
  const [one, ...others] = there;
  if (visibility.scope !== "party" || one === undefined) return { ...PRACTICE_ONLY, aboutPartyIds: there };
  // For the eyes of several it is in nobody's confidence alone.
  return others.length === 0 ? forParty(one) : { scope: "party", partyIds: there, aboutPartyIds: [] };
}

function assertKnownTo(to: Case | null, { name, visibility }: FileDoc, mediators: Case["mediators"]): void {
  const knowing = new Set(mediators.map(({ userId }) => userId));
  const isKnown = to !== null && to.mediators.every(({ userId }) => knowing.has(userId));
  if (visibility.scope === "mediator" && !isKnown)
    throw wrongState(`${name} is for the mediators of its case only. Leave it there, or show it to the team first.`);
}

/** The same of what is kept with a client and in no case: it is theirs, and in a case it is in their confidence. */
function takenIn(doc: FileDoc, clientId: string | null, to: Case | null): Visibility {
  const { name, visibility, mark } = doc;
  const partyId = to?.parties.find((party) => party.clientId === doc.clientId)?.partyId;
  const isStillTheirs = to === null ? clientId === doc.clientId : partyId !== undefined;
  if (!isStillTheirs || visibility.aboutPartyIds.length > 0)
    throw wrongState(`${name} is kept with somebody else, so it stays with them. Put it into a case that they are in.`);
  if (!to || partyId === undefined) return visibility;
  assertKnownTo(to, doc, []);
  const readers = visibility.scope === "mediator" ? MEDIATOR_ONLY : PRACTICE_ONLY;
  const theirs = { ...readers, aboutPartyIds: [partyId] };
  return whyNotHeld(to, theirs, mark.isFinancial) === null ? theirs : readers;
}
