// The links of two parties end once somebody who saw them may not see their case any more: by either of them they would
// read what that party chose, and answer as that party. Each party goes on by a new one of their own.
import { PRACTICE_ONLY } from "@app/shared/visibility";
import { inTransaction } from "../../core/database.ts";
import { newToken } from "../../core/ids.ts";
import { systemScope } from "../../core/system-scope.ts";
import { getCase } from "../cases/cases.service.ts";
import { recordEvent } from "../history/history.service.ts";
import { type BookingPairDoc, BookingPairModel, sealLinks } from "./pairs.model.ts";
import { tellOfNewLink } from "./renewal-letters.ts";
import { mayAllHaveIt } from "./shown-addresses.ts";

/** Whether its links still open it; where they do not any more, they are replaced. */
export async function pairLeadsOn(doc: BookingPairDoc): Promise<boolean> {
  if (await mayAllHaveIt(doc, (person) => getCase(person, doc.caseId))) return true;
  await renew(doc);
  return false;
}

const renew = ({ ownerId, _id, caseId, linksEnc, createdAt, ...doc }: BookingPairDoc): Promise<void> =>
  inTransaction(async () => {
    const links = doc.sides.map(({ partyId }) => ({ partyId, token: newToken() }));
    const sealed = sealLinks(ownerId, _id, Object.fromEntries(links.map(({ partyId, token }) => [partyId, token])));
    const hashes = doc.sides.map(({ partyId }, at) => [
      `sides.${at}.publicHash`,
      sealed.sides.find((side) => side.partyId === partyId)?.publicHash,
    ]);
    const { modifiedCount } = await BookingPairModel.updateOne(
      { ownerId, _id, linksEnc, isEnded: false },
      { $set: { linksEnc: sealed.linksEnc, shownTo: [], ...Object.fromEntries(hashes) } },
    );
    // Another look at the same moment did it.
    if (modifiedCount === 0) return;
    const scope = systemScope(ownerId);
    const { parties } = await getCase(scope, caseId);
    const theirs = links.flatMap(({ partyId, token }) => {
      const party = parties.find((one) => one.partyId === partyId);
      return party ? [{ clientId: party.clientId, token }] : [];
    });
    await recordEvent(scope, {
      kind: "meeting",
      text: "Links by which two parties find a time replaced: somebody who saw them may not see them any more",
      caseId,
      clientIds: theirs.map(({ clientId }) => clientId),
      visibility: PRACTICE_ONLY,
    });
    for (const one of theirs) await tellOfNewLink({ ownerId, caseId, createdAt, ...one });
  });
