// What a practice's region and field of mediation decide. Free of zod, because public pages load it.
export const REGIONS = {
  england_wales: {
    label: "England and Wales",
    currency: "GBP",
    timeZone: "Europe/London",
    locale: "en-GB",
    country: "GB",
    legalAid: "Monthly claims file for England and Wales",
  },
  scotland: {
    label: "Scotland",
    currency: "GBP",
    timeZone: "Europe/London",
    locale: "en-GB",
    country: "GB",
    legalAid: "Export with columns you choose",
  },
  northern_ireland: {
    label: "Northern Ireland",
    currency: "GBP",
    timeZone: "Europe/London",
    locale: "en-GB",
    country: "GB",
    legalAid: "Export with columns you choose",
  },
  ireland: {
    label: "Ireland",
    currency: "EUR",
    timeZone: "Europe/Dublin",
    locale: "en-IE",
    country: "IE",
    legalAid: "Export with columns you choose",
  },
  united_states: {
    label: "United States",
    currency: "USD",
    timeZone: "America/New_York",
    locale: "en-US",
    country: "US",
    legalAid: "Export with columns you choose",
  },
  other: {
    label: "Somewhere else",
    currency: "EUR",
    timeZone: "UTC",
    locale: "en-GB",
    country: "",
    legalAid: "Export with columns you choose",
  },
} as const;
export type Region = keyof typeof REGIONS;
export const REGION_MISSING = "Choose where you mediate";

export const MEDIATOR_TYPES = {
  family: "Family",
  workplace: "Workplace",
  civil: "Civil and commercial",
  community: "Community",
  other: "Something else",
} as const;
export type MediatorType = keyof typeof MEDIATOR_TYPES;
export const MEDIATOR_TYPE_MISSING = "Choose what you mediate";
