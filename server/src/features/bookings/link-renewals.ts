// A personal link ends once somebody who saw it may not see its person any more: by it they would book as that person.
import { PRACTICE_ONLY } from "@app/shared/visibility";
import { inTransaction } from "../../core/database.ts";
import { newToken } from "../../core/ids.ts";
import { systemScope } from "../../core/system-scope.ts";
import { recordEvent } from "../history/history.service.ts";
import { type BookingLinkDoc, BookingLinkModel, sealPublicId } from "./bookings.model.ts";
import { assertPersonSeen } from "./links.service.ts";
import { tellOfNewLink } from "./renewal-letters.ts";
import { mayAllHaveIt } from "./shown-addresses.ts";

/** Whether this address still opens it; where it does not any more, its person gets another one. */
export async function linkLeadsOn(link: BookingLinkDoc): Promise<boolean> {
  const { clientId } = link;
  // What is for everybody may be known to everybody.
  if (clientId === null) return true;
  if (await mayAllHaveIt(link, (person) => assertPersonSeen(person, link))) return true;
  await renew(link, clientId);
  return false;
}

const renew = (
  { ownerId, _id, caseId, name, publicHash, createdAt }: BookingLinkDoc,
  clientId: string,
): Promise<void> =>
  inTransaction(async () => {
    const token = newToken();
    const { modifiedCount } = await BookingLinkModel.updateOne(
      { ownerId, _id, publicHash, isArchived: false },
      { $set: { ...sealPublicId(ownerId, _id, token), shownTo: [] } },
    );
    // Another look at the same moment did it.
    if (modifiedCount === 0) return;
    await recordEvent(systemScope(ownerId), {
      kind: "meeting",
      text: `Booking link replaced, as somebody who saw it may not see it any more: ${name}`,
      caseId,
      clientIds: [clientId],
      visibility: PRACTICE_ONLY,
    });
    await tellOfNewLink({ ownerId, caseId, clientId, createdAt, token });
  });
