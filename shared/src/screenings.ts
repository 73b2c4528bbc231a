import { z } from "zod";
import { idSchema } from "./ids.ts";
import { lineSchema } from "./text.ts";
import { daySchema, instantSchema } from "./time.ts";

export const SCREENING_REASONS_MAX_LENGTH = 2000;
export const SCREENING_ANSWER_MAX_LENGTH = 1000;
export const SIGNPOSTED_MAX = 10;

/** The version of the questions below; an earlier screening keeps the ones it was made with. */
export const SCREENING_TOOL_VERSION = "2026-1";

/** What is asked of each party alone. Adapted in our words from public screening sets; a practice may ask more. */
export const SCREENING_QUESTIONS = [
  { id: "afraid", text: "Are you, or have you been, afraid of the other person?" },
  { id: "control", text: "Does the other person control where you go, whom you see, or your money?" },
  { id: "violence", text: "Has there been violence, threats or damage to your things?" },
  { id: "orders", text: "Are there or were there court orders, police calls or social services?" },
  { id: "children", text: "Are you worried about the safety of a child or of another adult?" },
  { id: "speaking", text: "Could you say what you want with the other person in the room?" },
  { id: "measures", text: "Would separate rooms, online meetings or a supporter help?" },
] as const;

export const MEASURES = [
  "separate_arrivals",
  "shuttle",
  "online_only",
  "separate_rooms",
  "support_person",
  "no_contact_details",
  "other",
] as const;
export type Measure = (typeof MEASURES)[number];

export const MEASURE_NAMES = {
  separate_arrivals: "Separate arrivals",
  shuttle: "Shuttle",
  online_only: "Online only",
  separate_rooms: "Separate rooms",
  support_person: "Support person",
  no_contact_details: "No contact details to the other party",
  other: "Other, see reasons",
} as const satisfies Record<Measure, string>;

export const RISKS = ["low", "medium", "high", "stop"] as const;
export const SUITABILITIES = ["yes", "yes_with_measures", "no"] as const;

export const completeScreeningSchema = z
  .strictObject({
    caseId: idSchema,
    partyId: idSchema,
    answers: z.record(
      z.enum(SCREENING_QUESTIONS.map(({ id }) => id)),
      z.string().trim().max(SCREENING_ANSWER_MAX_LENGTH, `Use at most ${SCREENING_ANSWER_MAX_LENGTH} characters`),
    ),
    risk: z.enum(RISKS, "Choose the risk"),
    measures: z.array(z.enum(MEASURES)).max(MEASURES.length),
    suitable: z.enum(SUITABILITIES, "Choose whether mediation is suitable"),
    reasons: z.string().trim().max(SCREENING_REASONS_MAX_LENGTH),
    signposted: z.array(lineSchema(100).min(1)).max(SIGNPOSTED_MAX),
    referral: z.strictObject({ agency: lineSchema(100).min(1), on: daySchema, reference: lineSchema(60) }).nullable(),
  })
  .superRefine(({ risk, suitable, measures, reasons }, context) => {
    const report = (field: string, message: string) => context.addIssue({ code: "custom", path: [field], message });
    if (risk === "stop" && suitable !== "no") report("suitable", "A risk that stops mediation means not suitable");
    if (suitable === "yes_with_measures" && measures.length === 0)
      report("measures", "Choose at least one safety measure");
    if (suitable !== "yes" && !reasons) report("reasons", "Say why");
  });
export type CompleteScreening = z.infer<typeof completeScreeningSchema>;

export const screeningSchema = z.object({
  ...completeScreeningSchema.shape,
  answers: z.record(z.string(), z.string()),
  id: idSchema,
  toolVersion: z.string(),
  status: z.enum(["completed", "superseded"]),
  completedAt: instantSchema,
  completedByName: z.string(),
});
export type Screening = z.infer<typeof screeningSchema>;

export const listScreeningsSchema = z.strictObject({ caseId: idSchema });
export const screeningListSchema = z.object({ items: z.array(screeningSchema) });
