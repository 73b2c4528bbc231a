import { CASE_STATUS_NAMES, partyStandingName } from "@app/shared/case-states";
import type { Region } from "@app/shared/regions";
import { useCurrentUser } from "../../core/session.ts";
import type { Case } from "@app/shared/cases";
import { confidencesName } from "@app/shared/confidences";
import type { Fact } from "../../core/opened-form.tsx";
import { flagsText } from "./case-record.ts";

const statesOf = (theCase: Case, region: Region): string =>
  theCase.parties.map((party) => `${party.label} ${partyStandingName({ ...theCase, region }, party)}`).join(", ");

/** What somebody decides by who moves a case, or one of its parties, on or back. */
export function useCaseFacts(): readonly Fact<Case>[] {
  const { region } = useCurrentUser();
  return factsIn(region);
}

const factsIn = (region: Region): readonly Fact<Case>[] => [
  {
    key: "status",
    label: "Case",
    value: ({ status, lastStep }) => [status, lastStep],
    text: ({ status }) => CASE_STATUS_NAMES[status],
  },
  {
    key: "parties",
    label: "Parties",
    value: ({ parties }) => parties.map(({ partyId, status, lastStep }) => [partyId, status, lastStep]),
    text: (theCase) => statesOf(theCase, region),
  },
  {
    key: "confidences",
    label: "Confidences",
    value: ({ confidences, agreements }) => [confidences, agreements],
    text: ({ confidences }) => confidencesName(confidences),
  },
  {
    key: "flags",
    label: "Safeguarding and urgency",
    value: ({ flags }) => flags,
    text: ({ flags }) => flagsText(flags),
  },
  {
    key: "disclosures",
    label: "Consents and orders in force",
    value: ({ disclosures }) => disclosures,
    text: ({ disclosures }) =>
      disclosures
        .filter(({ endedAt }) => endedAt === null)
        .map(({ what }) => what)
        .join("; "),
  },
];
