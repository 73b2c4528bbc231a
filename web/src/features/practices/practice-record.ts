import { CERTIFICATES_COUNT_FROM_NAMES, type Practice, type UpdatePractice } from "@app/shared/practices";
import { MEDIATOR_TYPES, REGIONS } from "@app/shared/regions";
import { plainFields } from "../../ui/version-fields.ts";

/** Days, one a line. */
export type PracticeValues = Omit<UpdatePractice, "version" | "holidays"> & { holidays: string };

export function recordOf({ version, currency: _currency, holidays, ...values }: Practice) {
  return { values: { ...values, holidays: holidays.join("\n") }, version };
}

export const sentOf = ({ holidays, ...values }: PracticeValues) => ({
  ...values,
  holidays: holidays.split(/[\s,]+/).filter(Boolean),
});

export const PRACTICE_FIELDS = plainFields<PracticeValues>(
  {
    practiceName: "Practice name",
    region: "Where you mediate",
    mediatorType: "What you mediate",
    timeZone: "Time zone",
    caseNumberPrefix: "Case numbers start with",
    certificatesCountFrom: "MIAM certificates count from",
    holidays: "Days on which you are closed",
    isTwoFactorRequired: "Everybody needs a second factor",
  },
  {
    region: (region) => REGIONS[region].label,
    mediatorType: (type) => MEDIATOR_TYPES[type],
    certificatesCountFrom: (day) => CERTIFICATES_COUNT_FROM_NAMES[day],
  },
);
