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
  /** When that was recorded, where it is known. */
  consentRecordedAt: Date | null;
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
    const stored = theCase.parties.find((one) => one.partyId === partyId);
    const steps = stored?.steps ?? [];
    const days = signaturesOf({ agreementSignedOn, steps }, isOfRound)
      .filter((on) => on <= day)
      .toSorted();
    // Whoever signs consents by that, and is asked again where another joins, or they come back.
    const isConsent = consentedOn <= day && isOfRound({ on: consentedOn, at: now() });
    const signedOn = days.at(-1) ?? "";
    const signing = steps.find(({ to, on }) => to === "agreement_signed" && on === signedOn);
    return {
      hasSigned: days.length > 0 || (agreementSignedOn === "" && hasSigned({ status })),
      consentedOn: isConsent ? consentedOn : signedOn,
      consentRecordedAt: (isConsent ? stored?.consentRecordedAt : signing?.at) ?? null,
    };
  };
}
