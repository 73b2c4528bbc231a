import type { Case, CaseFields, Party } from "@app/shared/cases";
import { CONSENT_STATE_NAMES, VOICE_OUTCOME_NAMES } from "@app/shared/child-inclusive";
import { plainFields } from "../../ui/version-fields.ts";
import {
  DOMAIN_NAMES,
  FORMAT_NAMES,
  FUNDING_NAMES,
  ISSUE_NAMES,
  ROLE_NAMES,
  SOURCE_NAMES,
} from "../cases/case-words.ts";

/** As a new case is filled in: how it came and what it is about is said by somebody, or not at all. */
export interface CaseValues extends Omit<CaseFields, "issueScope" | "format" | "referral"> {
  issueScope: CaseFields["issueScope"] | "";
  format: CaseFields["format"] | "";
  referral: Omit<CaseFields["referral"], "source"> & { source: CaseFields["referral"]["source"] | "" };
}

type Chosen = Pick<CaseFields, "issueScope" | "format" | "referral">;
export type Choices = Pick<CaseValues, keyof Chosen>;

/** What was chosen of a new case; null while something is missing. */
export function chosenIn({ issueScope, format, referral: { source, ...referral } }: Choices): Chosen | null {
  if (issueScope === "" || format === "" || source === "") return null;
  return { issueScope, format, referral: { ...referral, source } };
}

/** What is still to be chosen, by field. */
export const missingChoices = ({ issueScope, format, referral }: Choices): Record<string, string> => ({
  ...(issueScope === "" ? { issueScope: "Choose what it is about" } : {}),
  ...(format === "" ? { format: "Choose how you will meet" } : {}),
  ...(referral.source === "" ? { "referral.source": "Choose how they came" } : {}),
});

export const recordOf = ({ version, ...theCase }: Case): { values: CaseFields; version: number } => ({
  version,
  values: {
    domain: theCase.domain,
    issueScope: theCase.issueScope,
    matter: theCase.matter,
    format: theCase.format,
    mediators: theCase.mediators,
    staffIds: theCase.staffIds,
    children: theCase.children,
    referral: theCase.referral,
    flags: theCase.flags,
    startedOn: theCase.startedOn,
    nextReviewOn: theCase.nextReviewOn,
  },
});

export const caseFields = (nameOf: (userId: string) => string) =>
  plainFields<CaseFields>(
    {
      domain: "Kind",
      issueScope: "Issues",
      matter: "Matter",
      format: "Format",
      mediators: "Mediators",
      staffIds: "Also working on it",
      children: "Children",
      referral: "How they came",
      flags: "Safeguarding and urgency",
      startedOn: "Started on",
      nextReviewOn: "Next review",
    },
    {
      domain: (domain) => DOMAIN_NAMES[domain],
      issueScope: (scope) => ISSUE_NAMES[scope],
      format: (format) => FORMAT_NAMES[format],
      mediators: (mediators) =>
        mediators.map(({ userId, isLead }) => `${nameOf(userId)}${isLead ? " (lead)" : ""}`).join(", "),
      staffIds: (ids) => ids.map(nameOf).join(", "),
      children: (children) => children.map(childText).join("; "),
      referral: ({ source, campaign }) => [SOURCE_NAMES[source], campaign].filter(Boolean).join(", "),
      flags: flagsText,
    },
  );

const childText = ({ firstName, dateOfBirth, livesWith, cim }: CaseFields["children"][number]): string =>
  [
    firstName,
    dateOfBirth && `born ${dateOfBirth}`,
    livesWith && `lives with ${livesWith}`,
    cim.isOffered && "child-inclusive mediation offered",
    cim.parents.length > 0 && `parents: ${cim.parents.map(({ state }) => CONSENT_STATE_NAMES[state]).join(", ")}`,
    cim.responsibility.length > 0 &&
      `parental responsibility: ${cim.responsibility.map(({ isHeld }) => (isHeld ? "yes" : "no")).join(", ")}`,
    ...cim.otherParents.map(
      ({ name, state }) => `${name}, not a party: ${state ? CONSENT_STATE_NAMES[state] : "Not asked yet"}`,
    ),
    cim.child.state && `child: ${CONSENT_STATE_NAMES[cim.child.state]}`,
    cim.voice.outcome && VOICE_OUTCOME_NAMES[cim.voice.outcome],
    cim.overrideReason,
  ]
    .filter(Boolean)
    .join(", ");

export function flagsText({ safeguarding, isUrgent, mustNotMeet }: CaseFields["flags"]): string {
  const safety = {
    not_assessed: "Safeguarding not assessed",
    none: "No concern",
    noted: "Safeguarding noted",
    high: "Safeguarding high",
  }[safeguarding];
  return [safety, isUrgent && "urgent", mustNotMeet && "must not meet"].filter(Boolean).join(", ") || "None";
}

/** Who represents them is not filled in here; it is sent with the rest as it was read with it. */
export type Details = Pick<Party, "consentedOn" | "role" | "side" | "representativeContactIds">;

export const DETAILS_FIELDS = plainFields<Details>(
  { consentedOn: "Consented to mediation on", role: "Role", side: "Side", representativeContactIds: "Representatives" },
  { role: (role) => ROLE_NAMES[role] },
);

export function detailsOf({ parties, version }: Case, { partyId, ...known }: Party) {
  const { consentedOn, role, side, representativeContactIds } = parties.find((one) => one.partyId === partyId) ?? known;
  return { values: { consentedOn, role, side, representativeContactIds }, version };
}

export interface Shares {
  parties: Pick<Party, "partyId" | "funding">[];
}

export const sharesOf = ({
  parties,
  version,
}: Pick<Case, "parties" | "version">): { values: Shares; version: number } => ({
  values: { parties: parties.map(({ partyId, funding }) => ({ partyId, funding })) },
  version,
});

export const PERCENT_BP = 100;

export const sharesFields = (labelOf: (partyId: string) => string) =>
  plainFields<Shares>(
    { parties: "Shares" },
    {
      parties: (parties) =>
        parties
          .map(({ partyId, funding: { type, shareBp } }) => {
            return `${labelOf(partyId)}: ${FUNDING_NAMES[type]}, ${shareBp / PERCENT_BP} %`;
          })
          .join("; "),
    },
  );
