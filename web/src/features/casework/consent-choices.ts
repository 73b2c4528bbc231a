// What can be chosen of a consent that a child is heard.
import { CONSENT_STATE_NAMES, CONSENT_STATES, CONSENT_WAY_NAMES, CONSENT_WAYS } from "@app/shared/child-inclusive";

export const WAYS = [
  { value: "", label: "Choose" },
  ...CONSENT_WAYS.map((value) => ({ value, label: CONSENT_WAY_NAMES[value] })),
];

/** What is from before days were kept cannot be chosen: it is asked for anew. */
export const statesFor = (state: string) => [
  { value: "", label: "Not asked yet" },
  ...CONSENT_STATES.filter((each) => each !== "undated" || each === state).map((value) => ({
    value,
    label: CONSENT_STATE_NAMES[value],
  })),
];
