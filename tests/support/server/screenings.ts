import { newId } from "@app/server/core/ids";
import type { CompleteScreening } from "@app/shared/screenings";
import type { Sent } from "./people.ts";

/** A screening as the form would send it. */
export const aScreening = (
  overrides: Pick<CompleteScreening, "caseId" | "partyId"> & Partial<CompleteScreening>,
): Sent<CompleteScreening> => ({
  id: newId(),
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
  ...overrides,
});
