import {
  type Assessment,
  type AssessmentDetails,
  CHILD_INCLUSIVE_NAMES,
  MIAM_COMPANY_NAMES,
  MIAM_PLACE_NAMES,
  NCDR_FORM_NAMES,
  RISK_ASSESSMENT_NAMES,
} from "@app/shared/assessments";
import type { Fact } from "../../core/opened-form.tsx";
import { plainFields } from "../../ui/version-fields.ts";

type Chosen = "place" | "company" | "childInclusive" | "riskAssessment";
/** What nobody has said yet is empty, which the schema refuses. */
type Unsaid = { [Key in Chosen]: AssessmentDetails[Key] | "" } & { minutes: number | "" };
export interface AssessmentValues extends Omit<AssessmentDetails, Chosen | "minutes">, Unsaid {
  reason: string;
}

const NOTHING: AssessmentValues = {
  attendedOn: "",
  place: "",
  where: "",
  phoneReason: "",
  underAgeReason: "",
  hoursReason: "",
  minutes: "",
  shortReason: "",
  isBriefConfirmed: false,
  mediatorId: "",
  company: "",
  withPartyIds: [],
  otherPeople: "",
  forms: [],
  formsReason: "",
  childInclusive: "",
  childInclusiveReason: "",
  signposting: "",
  riskAssessment: "",
  riskReason: "",
  reason: "",
};

/** The length that was planned is offered, because that is how long most take; whoever records it says how long it was. */
export function assessmentValues(assessment: Assessment): AssessmentValues {
  const { attendedOn, place, where, shortReason, mediatorId, company, withPartyIds, minutes, plannedMinutes } =
    assessment;
  const { forms, formsReason, childInclusive, childInclusiveReason, signposting, riskAssessment, riskReason } =
    assessment;
  return {
    attendedOn,
    place,
    where,
    phoneReason: assessment.phoneReason,
    underAgeReason: assessment.underAgeReason,
    hoursReason: assessment.hoursReason,
    minutes: minutes ?? plannedMinutes ?? "",
    shortReason,
    isBriefConfirmed: assessment.isBriefConfirmed,
    mediatorId,
    // Who was there was not asked by name before, so it is asked now.
    company: company === "together" ? "with" : company,
    withPartyIds,
    otherPeople: assessment.otherPeople,
    forms,
    formsReason,
    childInclusive,
    childInclusiveReason,
    signposting,
    riskAssessment,
    riskReason,
    reason: "",
  };
}

/** As it stands in the form: what was read of a record, or nothing. */
export const storedOf = (assessment: Assessment | undefined) => ({
  values: assessment ? assessmentValues(assessment) : NOTHING,
  version: assessment?.version ?? 0,
});

const wordOf = <Key extends string>(words: Record<Key, string>, key: Key | ""): string =>
  key === "" ? "" : words[key];

interface Names {
  ofMediator: (userId: string) => string;
  ofParty: (partyId: string) => string;
}

/** What two versions of one record are compared by. */
export const assessmentFields = ({ ofMediator, ofParty }: Names) =>
  plainFields<AssessmentValues>(
    {
      attendedOn: "Day",
      place: "How",
      where: "Where",
      phoneReason: "Why by phone",
      underAgeReason: "Who acts for them",
      hoursReason: "Why at the same time as another",
      minutes: "Minutes",
      shortReason: "Why it was shorter",
      isBriefConfirmed: "It covered what it has to",
      mediatorId: "Mediator",
      company: "Who was there",
      withPartyIds: "Other participants",
      otherPeople: "Who else was in the room",
      forms: "Forms of non-court dispute resolution",
      formsReason: "Why these forms",
      childInclusive: "Child-inclusive mediation",
      childInclusiveReason: "Why it was not explained",
      signposting: "Signposted to",
      riskAssessment: "Risk assessment",
      riskReason: "Why it was not done",
      reason: "Why it is corrected",
    },
    {
      place: (place) => wordOf(MIAM_PLACE_NAMES, place),
      mediatorId: ofMediator,
      company: (company) => wordOf(MIAM_COMPANY_NAMES, company),
      withPartyIds: (ids) => ids.map(ofParty).join(", "),
      forms: (forms) => forms.map((form) => NCDR_FORM_NAMES[form]).join(", "),
      childInclusive: (childInclusive) => wordOf(CHILD_INCLUSIVE_NAMES, childInclusive),
      riskAssessment: (riskAssessment) => wordOf(RISK_ASSESSMENT_NAMES, riskAssessment),
    },
  );

/** What somebody decides by who strikes a record. */
export const ASSESSMENT_FACTS: readonly Fact<Assessment>[] = [
  {
    key: "status",
    label: "The record",
    value: ({ status }) => status,
    text: ({ status }) => ({ held: "stands", struck: "struck" })[status],
  },
  { key: "attendedOn", label: "Day", value: ({ attendedOn }) => attendedOn, text: ({ attendedOn }) => attendedOn },
  {
    key: "details",
    label: "Details",
    value: assessmentValues,
    text: ({ corrections }) => {
      const last = corrections.at(-1);
      return last ? `as ${last.byName} corrected them: ${last.reason}` : "as they were first recorded";
    },
  },
];
