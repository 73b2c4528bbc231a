// Whether a mail of a meeting may go to one party of its case, before it is written.
import { isEndedByDeath } from "@app/shared/case-states";
import type { Case, Party } from "@app/shared/cases";
import { type Client, safeNow } from "@app/shared/clients";
import { waysToReach } from "@app/shared/safe-channels";
import type { Scope } from "../../core/trpc.ts";
import { directoryOf } from "../mail/gate.service.ts";
import { problemsOf } from "../mail/outgoing-gate.service.ts";

/** Why a mail to this party would not leave, and by what way to reach them; empty where it would. */
export async function whyNotByMail(scope: Scope, theCase: Case, { partyId }: Party, client: Client): Promise<string> {
  const ways = waysToReach(safeNow(client));
  if (isEndedByDeath(theCase)) return "the case ended because somebody died, so nobody is mailed of it.";
  if (!client.email) return `no email address is known. ${ways}`;
  const letter = {
    mail: { to: [client.email], cc: [] },
    clientId: client.id,
    party: { caseId: theCase.id, partyId },
    answers: [],
    senderName: scope.userName,
  };
  const [problem] = problemsOf(await directoryOf(scope.ownerId, [letter]), letter);
  if (!problem) return "";
  return problem.code === "other_party"
    ? `the address is also that of somebody on another side. ${ways}`
    : `may not be emailed. ${ways}`;
}
