// What somebody did in a case, with the day of each: what is recorded of an end, or of their death, does not come before it.
import type { Scope } from "../../core/trpc.ts";
import { assessmentsOfCase } from "../assessments/assessments.service.ts";
import type { PartyDoc } from "../cases/case-parties.service.ts";

export interface Deed {
  did: string;
  on: string;
}

type Doing = Pick<PartyDoc, "partyId" | "miamOn" | "consentedOn" | "agreementSignedOn">;
type Answering = Pick<PartyDoc, "respondedOn" | "intakeDoneOn">;

/** What nobody else can have done for them. */
export async function deedsOf(scope: Scope, caseId: string, party: Doing): Promise<Deed[]> {
  const { partyId, miamOn } = party;
  const held = (await assessmentsOfCase(scope, caseId)).filter(
    (record) => record.partyId === partyId && record.status === "held",
  );
  return [
    ...[miamOn, ...held.map(({ attendedOn }) => attendedOn)].map((day) => ({
      did: "came to a first meeting",
      on: day,
    })),
    ...agreementsOf(party),
  ];
}

/** By what they agreed to mediate. */
export const agreementsOf = ({
  consentedOn,
  agreementSignedOn,
}: Pick<PartyDoc, "consentedOn" | "agreementSignedOn">): Deed[] => [
  { did: "consented to mediation", on: consentedOn },
  { did: "signed the agreement to mediate", on: agreementSignedOn },
];

/** The same, with what others may tell of somebody. */
export const deedsToldOf = async (scope: Scope, caseId: string, party: Doing & Answering): Promise<Deed[]> => [
  ...(await deedsOf(scope, caseId, party)),
  { did: "answered", on: party.respondedOn },
  { did: "did their intake", on: party.intakeDoneOn },
];
