import type { Region } from "@app/shared/regions";

/** Whom to call in danger where a practice is; empty where that is not known. */
export const EMERGENCY_NUMBERS = {
  england_wales: "999",
  scotland: "999",
  northern_ireland: "999",
  ireland: "112",
  united_states: "911",
  other: "",
} as const satisfies Record<Region, string>;
