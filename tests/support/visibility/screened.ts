import type { CompleteScreening } from "@app/shared/screenings";

/** A screening in which nothing was found. */
export const CALM_SCREENING: Omit<CompleteScreening, "caseId" | "partyId"> = {
  answers: {
    afraid: "No",
    control: "No",
    violence: "No",
    orders: "No",
    children: "No",
    speaking: "Yes",
    measures: "No",
  },
  risk: "low",
  measures: [],
  suitable: "yes",
  reasons: "",
  signposted: [],
  referral: null,
};
