// Who had consented, and signed, when a session was held: whoever came back, or was asked again, has later days beside these.
import { hasSigned } from "@app/shared/case-states";
import type { Party } from "@app/shared/cases";
import { now } from "../../core/clock.ts";
import type { Scope } from "../../core/trpc.ts";
import { findCaseDoc } from "../cases/cases.service.ts";
import { reopeningsOf, signaturesOf } from "../cases/reopened.service.ts";

interface AgreedThen {
  /** Of those of whom it is not known when they signed, by where they stand. */
  hasSigned: boolean;
  /** Empty where they had not by then. */
  consentedOn: string;
}

/** What each party had agreed to by this day, in the round of the case that went on then. */
export async function agreedBy(
  scope: Scope,
  caseId: string,
  { at, day }: { at: Date; day: string },
): Promise<(party: Party) => AgreedThen> {
  const theCase = await findCaseDoc(scope, caseId);
  const isOfRound = (await reopeningsOf(scope, theCase)).signedSince({ on: day, at });
  return ({ partyId, status, agreementSignedOn, consentedOn }) => {
    const steps = theCase.parties.find((one) => one.partyId === partyId)?.steps ?? [];
    const days = signaturesOf({ agreementSignedOn, steps }, isOfRound)
      .filter((on) => on <= day)
      .toSorted();
    return {
      hasSigned: days.length > 0 || (agreementSignedOn === "" && hasSigned({ status })),
      // Whoever signs consents by that, and is asked again where another joins, or they come back.
      consentedOn: consentedOn <= day && isOfRound({ on: consentedOn, at: now() }) ? consentedOn : (days.at(-1) ?? ""),
    };
  };
}
