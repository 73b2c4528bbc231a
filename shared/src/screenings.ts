import { z } from "zod";
import { idSchema } from "./ids.ts";
import { companyFields, whatSupporterAsks } from "./screening-company.ts";
import { isNothingAsked, NOTHING_ASKED, whatRisksAsk, whyNotSuitable } from "./screening-limits.ts";
import { questionIds, questionsOf, toolOfVersion } from "./screening-tools.ts";
import { hasWord } from "./has-word.ts";
import { lineSchema } from "./text.ts";
import { daySchema, instantSchema } from "./time.ts";

export const SCREENING_REASONS_MAX_LENGTH = 2000;
export const SCREENING_ANSWER_MAX_LENGTH = 1000;
export const SIGNPOSTED_MAX = 10;
const LOOKED_AT_MAX = 100;

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
  no_contact_details: "No contact details to the other participant",
  other: "Other, see reasons",
} as const satisfies Record<Measure, string>;

export const ANSWERS = ["no", "yes", "not_sure", "not_asked"] as const;
export const ANSWER_NAMES = {
  no: "No",
  yes: "Yes",
  not_sure: "Not sure",
  not_asked: "Not asked",
} as const satisfies Record<(typeof ANSWERS)[number], string>;

export const SCREENING_CHANNELS = ["in_person", "video", "phone"] as const;
export type ScreeningChannel = (typeof SCREENING_CHANNELS)[number];
export const SCREENING_CHANNEL_NAMES = {
  in_person: "In person",
  video: "By video",
  phone: "By phone",
} as const satisfies Record<ScreeningChannel, string>;

export const RISKS = ["low", "medium", "high", "stop"] as const;
export const SUITABILITIES = ["yes", "yes_with_measures", "no"] as const;
export type Suitability = (typeof SUITABILITIES)[number];
export const SUITABILITY_NAMES = {
  yes: "Suitable",
  yes_with_measures: "Suitable with measures",
  no: "Not safe to mediate",
} as const satisfies Record<Suitability, string>;

const words = z
  .string()
  .trim()
  .max(SCREENING_ANSWER_MAX_LENGTH, `Use at most ${SCREENING_ANSWER_MAX_LENGTH} characters`);

const answerSchema = z
  .strictObject({
    answer: z.enum(ANSWERS, "Choose an answer"),
    words,
    /** Of a risk that was told where mediation is suitable: why that is safe all the same. */
    safeBecause: words.optional(),
  })
  .superRefine(({ answer, words: said }, context) => {
    if (answer === "no" || hasWord(said)) return;
    const message = answer === "not_asked" ? "Say why it was not asked" : "Write what was said";
    context.addIssue({ code: "custom", path: ["words"], message });
  });

/** Who looked at it with the mediator, such as the professional practice consultant, or why nobody did. */
export const consultedSchema = z
  .strictObject({
    isConsulted: z.boolean("Say whether somebody was consulted"),
    who: lineSchema(100),
    on: z.union([z.literal(""), daySchema]),
    whyNot: z.string().trim().max(500, "Use at most 500 characters"),
  })
  .superRefine(({ isConsulted, who, on, whyNot }, context) => {
    const report = (field: string, message: string) => context.addIssue({ code: "custom", path: [field], message });
    if (isConsulted && !who) report("who", "Say who was consulted");
    if (isConsulted && !on) report("on", "Enter the day");
    if (!isConsulted && !whyNot) report("whyNot", "Say why nobody was consulted");
  });

/** That somebody scored with a tool of their own: its result, never its text, which is others' to publish. */
const scoreSchema = z.strictObject({
  name: lineSchema(60).min(1, "Name the tool"),
  score: lineSchema(30).min(1, "Enter the score"),
  on: daySchema,
});

const referralSchema = z.strictObject({
  agency: lineSchema(100).min(1, "Name the agency"),
  on: daySchema,
  reference: lineSchema(60),
});

const answersSchema = z
  .strictObject(Object.fromEntries(questionIds().map((id) => [id, answerSchema.optional()])))
  .transform((answers) =>
    Object.fromEntries(Object.entries(answers).flatMap(([id, answer]) => (answer ? [[id, answer] as const] : []))),
  );

const foundFields = {
  measures: z.array(z.enum(MEASURES)).max(MEASURES.length),
  suitable: z.enum(SUITABILITIES, "Choose what follows"),
  signposted: z.array(lineSchema(100).min(1)).max(SIGNPOSTED_MAX, `Name at most ${SIGNPOSTED_MAX} places`),
};

const heldFields = {
  heldOn: daySchema,
  channel: z.enum(SCREENING_CHANNELS, "Choose how you spoke"),
  ...companyFields,
};

/** What somebody writes today is in words; what was kept before is read as it is. */
const writtenFields = {
  reasons: z
    .string()
    .trim()
    .max(SCREENING_REASONS_MAX_LENGTH, `Use at most ${SCREENING_REASONS_MAX_LENGTH} characters`)
    .refine(hasWord, "Say why"),
  signposted: foundFields.signposted.refine((places) => places.every(hasWord), "Name each place in words"),
  referral: referralSchema
    .refine(({ agency }) => hasWord(agency), { path: ["agency"], message: "Name the agency" })
    .nullable(),
  consulted: consultedSchema.superRefine(({ who, whyNot }, context) => {
    const report = (field: string, message: string) => context.addIssue({ code: "custom", path: [field], message });
    if (who && !hasWord(who)) report("who", "Say who was consulted");
    if (whyNot && !hasWord(whyNot)) report("whyNot", "Say why nobody was consulted");
  }),
  score: scoreSchema.refine(({ name }) => hasWord(name), { path: ["name"], message: "Name the tool" }).nullable(),
  /** Of somebody who told of a risk and is suitable: why there are no measures, and nobody was consulted. */
  whyNeither: words.optional(),
  /** Of an organisation: the person who takes part for it, who was asked. */
  spokenWith: lineSchema(100).optional(),
};

export const completeScreeningSchema = z
  .strictObject({
    caseId: idSchema,
    partyId: idSchema,
    toolVersion: z.string().max(40),
    ...heldFields,
    /** The screenings of other cases that found this person not safe, and that whoever holds this one has looked at. */
    lookedAt: z.array(idSchema).max(LOOKED_AT_MAX).optional(),
    answers: answersSchema,
    ...foundFields,
    ...writtenFields,
  })
  .superRefine((screening, context) => {
    const { toolVersion, company, supporter, answers, suitable, measures, signposted, consulted, whyNeither } =
      screening;
    const report = (message: string, ...path: string[]) => context.addIssue({ code: "custom", path, message });
    const tool = toolOfVersion(toolVersion);
    const known = tool && tool.domains.length > 0 ? questionsOf(tool).map(({ id }) => id) : [];
    if (known.length === 0)
      report("These questions are not asked any more. Close this and begin again.", "toolVersion");
    for (const id of known) if (!answers[id]) report("Choose an answer", "answers", id);
    if (Object.keys(answers).some((id) => !known.includes(id)))
      report("The questions changed. Close this and begin again.", "answers");
    if (known.length > 0 && isNothingAsked(answers)) report(NOTHING_ASKED, "suitable");
    const against = suitable === "no" ? [] : whyNotSuitable({ answers, company });
    if (against.length > 0) report(`Nobody can be found suitable yet. ${against.join(" ")}`, "suitable");
    const { isConsulted } = consulted;
    const asked = {
      ...whatSupporterAsks({ company, supporter }),
      ...whatRisksAsk({ answers, suitable, isConsulted, whyNeither: whyNeither ?? "" }),
    };
    for (const [field, message] of Object.entries(asked)) report(message, ...field.split("."));
    if (suitable === "yes_with_measures" && measures.length === 0) report("Choose at least one measure", "measures");
    if (suitable !== "yes_with_measures" && measures.length > 0)
      report("Measures go with “Suitable with measures”", "measures");
    if (suitable === "no" && signposted.length === 0) report("Say where you pointed this person to", "signposted");
  });
export type CompleteScreening = z.infer<typeof completeScreeningSchema>;
export type SentScreening = z.input<typeof completeScreeningSchema>;

/**
 * Whether somebody who mediates has judged it. Of others, one in which nothing was told lets people meet, and assesses no
 * risk for a MIAM; one in which a risk was told lets nobody meet until a mediator confirms it.
 */
const JUDGEMENTS = ["given", "open", "needed"] as const;
export type Judgement = (typeof JUDGEMENTS)[number];

export const screeningSchema = z.object({
  ...foundFields,
  /** Earlier screenings that found somebody suitable may have none. */
  reasons: z.string(),
  id: idSchema,
  caseId: idSchema,
  partyId: idSchema,
  toolVersion: z.string(),
  /** These three are null in screenings from before they were asked for. */
  heldOn: heldFields.heldOn.nullable(),
  channel: heldFields.channel.nullable(),
  company: heldFields.company.nullable(),
  /** Null in screenings from before it was asked, too. */
  supporter: heldFields.supporter,
  lookedAt: z.array(idSchema),
  /** In the order in which they were asked, in the words of that version; the first version took words alone. */
  answers: z.array(
    z.object({
      id: z.string(),
      question: z.string(),
      answer: z.enum(ANSWERS).nullable(),
      words: z.string(),
      /** Missing where nothing asked for it, as in all screenings from before. */
      safeBecause: z.string().optional(),
    }),
  ),
  /** What the first version chose; null in later ones. */
  risk: z.enum(RISKS).nullable(),
  referral: referralSchema.nullable(),
  consulted: consultedSchema.nullable(),
  score: scoreSchema.nullable(),
  /** Missing where nothing asked for it, as in all screenings from before. */
  whyNeither: z.string().optional(),
  /** Missing where a person stands for themselves. */
  spokenWith: z.string().optional(),
  /** Struck: recorded in error, such as of the wrong person; it stays readable here and counts for nothing. */
  status: z.enum(["completed", "superseded", "struck"]),
  /** Null where it stands. */
  struck: z.object({ at: instantSchema, byName: z.string(), reason: z.string() }).nullable(),
  completedAt: instantSchema,
  completedByName: z.string(),
  judgement: z.enum(JUDGEMENTS),
  /** By which mediator, where another person had found it; null where none has, or had to. */
  confirmed: z.object({ at: instantSchema, byName: z.string() }).nullable(),
});
export type Screening = z.infer<typeof screeningSchema>;

export const STRIKE_REASON_MAX_LENGTH = 200;
export const strikeScreeningSchema = z.strictObject({
  id: idSchema,
  reason: lineSchema(STRIKE_REASON_MAX_LENGTH).refine(hasWord, "Say why it was recorded in error"),
});

export const confirmScreeningSchema = z.strictObject({ id: idSchema });

export const listScreeningsSchema = z.strictObject({ caseId: idSchema });
export const screeningListSchema = z.object({
  items: z.array(screeningSchema),
  /** Whose last screening does not let them meet the others any more, and why, in words. */
  again: z.array(z.object({ partyId: idSchema, why: z.string() })),
  /** Who was found not safe in another case of the same people, and was not screened here since by somebody who looked at it. */
  elsewhere: z.array(z.object({ partyId: idSchema, screeningId: idSchema, words: z.string() })),
});
export type ScreeningList = z.infer<typeof screeningListSchema>;

/** What was agreed for the safety of each party who has measures, and nothing of why. */
export const measuresOfCaseSchema = z.object({
  items: z.array(z.object({ partyId: idSchema, measures: z.array(z.enum(MEASURES)) })),
  /** What was agreed besides in other cases of the same people that this person may see, in words. */
  elsewhere: z.array(z.object({ partyId: idSchema, words: z.string() })),
});
