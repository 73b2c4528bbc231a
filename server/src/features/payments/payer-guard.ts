// What is told of a payment is made for whoever pays it: no other payer learns that they do, nor what.
import { forParty, NO_TIMES, PRACTICE_ONLY, type Visibility } from "@app/shared/visibility";
import { systemScope } from "../../core/system-scope.ts";
import { getCase } from "../cases/cases.service.ts";
import { isNeutralFor } from "../clients/neutral-words.service.ts";
import { practiceNameOf } from "../practices/practices.service.ts";
import { type ForParty, sealFor, sealForNoParty } from "../visibility/for-party.service.ts";
import type { PaymentDoc } from "./payments.model.ts";

type Whose = Pick<PaymentDoc, "ownerId" | "payer" | "caseId">;

/** Who of the parties may read of it: the one who pays. */
const visibilityOf = ({ payer }: Whose): Visibility =>
  payer.kind === "party" ? forParty(payer.partyId) : PRACTICE_ONLY;

export async function forPayer<Content>(doc: Whose, content: Content): Promise<ForParty<Content>> {
  const { ownerId, payer, caseId } = doc;
  if (payer.kind !== "party") return sealForNoParty(null, content, []);
  const theCase = await getCase(systemScope(ownerId), caseId ?? "");
  return sealFor({ theCase, partyId: payer.partyId }, content, [{ visibility: visibilityOf(doc), ...NO_TIMES }]);
}

/** Empty where whoever looks over the payer's shoulder must not learn of the practice. */
export async function practiceNameFor({ ownerId, payer, caseId }: Whose): Promise<string> {
  const practiceName = await practiceNameOf(ownerId);
  if (payer.kind !== "party") return practiceName;
  const scope = systemScope(ownerId);
  const to = { theCase: await getCase(scope, caseId ?? ""), partyId: payer.partyId };
  return (await isNeutralFor(scope, to)) ? "" : practiceName;
}
