// Who was with somebody while they were screened.
import { z } from "zod";
import { hasWord, saysSomething } from "./has-word.ts";
import { lineSchema } from "./text.ts";

export const SCREENING_COMPANIES = ["nobody", "interpreter", "supporter", "other"] as const;
export type ScreeningCompany = (typeof SCREENING_COMPANIES)[number];
export const SCREENING_COMPANY_NAMES = {
  nobody: "Nobody",
  interpreter: "An interpreter whom you arranged",
  supporter: "A supporter of their own choice, an intermediary or a litigation friend",
  other: "Somebody else",
} as const satisfies Record<ScreeningCompany, string>;

/** Somebody without whom they would not, or could not, speak: it is told who that is, and why they speak freely before them. */
const supporterSchema = z.strictObject({
  who: lineSchema(100),
  whySafe: lineSchema(300),
  /** That they have nothing to do with the other participants. */
  isUnconnected: z.boolean(),
});
export type Supporter = z.infer<typeof supporterSchema>;

export const companyFields = {
  company: z.enum(SCREENING_COMPANIES, "Say who was with them"),
  /** Null but where the company is one. */
  supporter: supporterSchema.nullable(),
};

interface Said {
  company: string;
  supporter: Supporter | null;
}

/** What is still asked of a supporter, by field; empty where nothing is, or nobody came as one. */
export function whatSupporterAsks({ company, supporter }: Said): Record<string, string> {
  if (company !== "supporter")
    return supporter ? { company: "Say that a supporter was with them, or leave the supporter out" } : {};
  const { who = "", whySafe = "", isUnconnected = false } = supporter ?? {};
  return {
    ...(hasWord(who) ? {} : { "supporter.who": "Say who it was, and in which role" }),
    ...(saysSomething(whySafe)
      ? {}
      : { "supporter.whySafe": "Say in a sentence why it is safe to speak in front of them" }),
    ...(isUnconnected
      ? {}
      : {
          "supporter.isUnconnected":
            "Confirm that they have nothing to do with the other participants, or choose “Somebody else”",
        }),
  };
}
