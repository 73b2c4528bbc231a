// What the participants of a family case disclose of their finances: figures of each, side by side, with where each is
// known from, until both are exchanged; and the values that both agree.
import { z } from "zod";
import { FIGURE_LABEL_MAX_LENGTH, FIGURE_OWNERS, FINANCE_CATEGORIES } from "./finance-categories.ts";
import { MONEY_MAX_MINOR } from "./form-limits.ts";
import { idSchema } from "./ids.ts";
import { lineSchema } from "./text.ts";
import { daySchema, instantSchema } from "./time.ts";
import { PARTIES_MAX } from "./visibility.ts";

/** Of one case, with those that were removed. */
export const FIGURES_MAX = 400;
const HOW_MAX_LENGTH = 200;

const versionSchema = z.number().int().min(0);
const amountSchema = z
  .number("Enter an amount, such as 1250")
  .int()
  .min(-MONEY_MAX_MINOR, "This amount is too large")
  .max(MONEY_MAX_MINOR, "This amount is too large");

const givenFields = {
  category: z.enum(FINANCE_CATEGORIES),
  label: lineSchema(FIGURE_LABEL_MAX_LENGTH).min(1, "Say what it is, such as: Joint account at Calder Bank"),
  /** In minor units of the statement's currency; null while it is not known yet. */
  amountMinor: amountSchema.nullable(),
  owner: z.enum(FIGURE_OWNERS),
  /** The day that the figure is of; empty where nobody said. */
  asOf: z.union([z.literal(""), daySchema]),
  /** A file of the case that shows it. */
  evidenceFileId: idSchema.nullable(),
};
export const givenFigureSchema = z.strictObject(givenFields);
export type GivenFigure = z.infer<typeof givenFigureSchema>;

const sourceSchema = z.discriminatedUnion("kind", [
  /** The answers to a form: which version of it, and when they were sent in. */
  z.object({
    kind: z.literal("answers"),
    submissionId: idSchema,
    formName: z.string(),
    formNumber: z.number().int(),
    on: daySchema,
    /** Which answer it is. */
    key: z.string(),
  }),
  z.object({ kind: z.literal("entered"), byName: z.string(), on: daySchema }),
]);
export type FigureSource = z.infer<typeof sourceSchema>;

export const figureSchema = z.object({
  ...givenFields,
  id: idSchema,
  caseId: idSchema,
  partyId: idSchema,
  source: sourceSchema,
  /** The name of the file that shows it; empty where there is none that whoever asks may read. */
  evidenceName: z.string(),
  /** Each participant has been shown it as it stands. */
  isExchanged: z.boolean(),
  isRemoved: z.boolean(),
  version: versionSchema,
  updatedAt: instantSchema,
  updatedByName: z.string(),
});
export type Figure = z.infer<typeof figureSchema>;

/** As it stood before it was changed, the last first. */
export const figureHistorySchema = z.object({
  items: z.array(z.object({ ...givenFields, source: sourceSchema, savedAt: instantSchema, savedByName: z.string() })),
});

/** What both are shown beside each other as one thing. */
const pairSchema = z.object({ figureIds: z.array(idSchema) });

const agreementSchema = z.object({
  figureIds: z.array(idSchema),
  amountMinor: z.number().int(),
  /** Who agreed it, as the mediator recorded. */
  by: z.array(z.object({ partyId: idSchema, on: daySchema, recordedByName: z.string(), at: instantSchema })),
});
export type FigureAgreement = z.infer<typeof agreementSchema>;

/** What newer answers say otherwise than the figures: nothing of it is taken over by itself. */
const proposalSchema = z.object({
  key: z.string(),
  /** The figure that it would change or take out; null for one to be added. */
  figureId: idSchema.nullable(),
  /** Null for one that the answers do not have any more. */
  after: givenFigureSchema.nullable(),
});
export type FigureProposal = z.infer<typeof proposalSchema>;

const disclosingPartySchema = z.object({
  partyId: idSchema,
  label: z.string(),
  name: z.string(),
  /** Of what they say that there is none. */
  noneIn: z.array(z.enum(FINANCE_CATEGORIES)),
  /** When they said that this is all; empty before. */
  completeOn: z.union([z.literal(""), daySchema]),
  /** What they last answered to a form for financial disclosure. */
  answers: z
    .object({
      submissionId: idSchema,
      formName: z.string(),
      formNumber: z.number().int(),
      on: daySchema,
      /** How many figures stand in it. */
      count: z.number().int(),
      isTakenOver: z.boolean(),
      proposals: z.array(proposalSchema),
    })
    .nullable(),
});
export type DisclosingParty = z.infer<typeof disclosingPartySchema>;

const exchangeSchema = z.object({
  at: instantSchema,
  byName: z.string(),
  consents: z.array(z.object({ partyId: idSchema, on: daySchema, how: z.string() })),
});

export const financesSchema = z.object({
  caseId: idSchema,
  currency: z.string(),
  version: versionSchema,
  /** Those who disclose, and take part. */
  parties: z.array(disclosingPartySchema),
  /** Those who take part and do not disclose, as a mediator recorded. */
  others: z.array(disclosingPartySchema.pick({ partyId: true, label: true, name: true })),
  figures: z.array(figureSchema),
  pairs: z.array(pairSchema),
  agreements: z.array(agreementSchema),
  /** The last one; what was changed since is not exchanged yet. */
  exchange: exchangeSchema.nullable(),
  /** Figures that only the mediators of the case may read. */
  hiddenCount: z.number().int(),
});
export type Finances = z.infer<typeof financesSchema>;

export const ofCaseSchema = z.strictObject({ caseId: idSchema });

export const addFigureSchema = z.strictObject({ caseId: idSchema, partyId: idSchema, figure: givenFigureSchema });
export const updateFigureSchema = z.strictObject({ id: idSchema, version: versionSchema, figure: givenFigureSchema });
export const setFigureRemovedSchema = z.strictObject({ id: idSchema, isRemoved: z.boolean() });

/** Of the statement of a case, as it stood on the screen. */
const statementFields = { caseId: idSchema, version: versionSchema };
const ofPartyFields = { ...statementFields, partyId: idSchema };

export const setNoneSchema = z.strictObject({
  ...ofPartyFields,
  category: z.enum(FINANCE_CATEGORIES),
  isNone: z.boolean(),
});
export const setCompleteSchema = z.strictObject({
  ...ofPartyFields,
  /** Empty takes it back. */
  on: z.union([z.literal(""), daySchema]),
});
export const setDisclosingSchema = z.strictObject({ ...ofPartyFields, isDisclosing: z.boolean() });
export const takeOverSchema = z.strictObject({ ...ofPartyFields, submissionId: idSchema });
export const decideFigureSchema = takeOverSchema.extend({
  key: z.string().min(1).max(200),
  isTakenOver: z.boolean(),
});

const figureIdsSchema = z.array(idSchema).min(1).max(PARTIES_MAX);
export const pairFiguresSchema = z.strictObject({
  ...statementFields,
  figureIds: figureIdsSchema.min(2, "Choose a figure of each participant"),
  isPaired: z.boolean(),
});

/** What each agreed is recorded one by one; another amount begins anew. */
export const agreeFigureSchema = z.strictObject({
  ...statementFields,
  figureIds: figureIdsSchema,
  partyId: idSchema,
  amountMinor: amountSchema,
  on: daySchema,
});
export const takeBackAgreedSchema = z.strictObject({ ...statementFields, figureIds: figureIdsSchema });

export const exchangeFinancesSchema = z.strictObject({
  ...statementFields,
  consents: z
    .array(
      z.strictObject({
        partyId: idSchema,
        on: daySchema,
        how: lineSchema(HOW_MAX_LENGTH).min(1, "Say how they consented, such as: in the session"),
      }),
    )
    .min(2)
    .max(PARTIES_MAX),
  /** The figures were typed later, as they were handed over on the days of the consents. */
  areAsHandedOver: z.boolean().default(false),
});

export const ONLY_MEDIATORS_RECORD =
  "The owner of the practice or a mediator of this case records what the participants disclose to each other and agree. Ask one of them.";
