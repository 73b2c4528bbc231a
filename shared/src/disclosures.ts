// What lets something of a mediation out of it: every party's consent, the order of a court, or a law that overrides
// (Family Mediation Council, Code of Practice, on confidentiality: serious harm, children at risk, proceeds of crime).
import { z } from "zod";
import { hasAnswered } from "./case-states.ts";
import { hadDied, type Mortal } from "./death.ts";
import { eachOnce } from "./each-once.ts";
import { samePerson } from "./email-address.ts";
import { idSchema } from "./ids.ts";
import { emailSchema, lineSchema } from "./text.ts";
import { daySchema, instantSchema } from "./time.ts";

export const DISCLOSURES_MAX = 20;
const FILES_MAX = 20;
const ADDRESSES_MAX = 10;
const HOW_MAX_LENGTH = 200;

const consentsSchema = z.strictObject({
  kind: z.literal("consents"),
  /** Of each who took part, when and how they consented. */
  consents: z
    .array(
      z.strictObject({
        partyId: idSchema,
        on: daySchema,
        how: lineSchema(HOW_MAX_LENGTH).min(1, "Say how they consented, such as: in writing"),
      }),
    )
    .min(1)
    .max(10),
});
const orderSchema = z.strictObject({
  kind: z.literal("order"),
  on: daySchema,
  reference: lineSchema(100).min(1, "Enter the court and the number of the order"),
});
const lawSchema = z.strictObject({
  kind: z.literal("law"),
  on: daySchema,
  duty: lineSchema(HOW_MAX_LENGTH).min(
    1,
    "Say which law or duty asks for it, such as: a child at risk of serious harm",
  ),
});
const groundSchema = z.discriminatedUnion("kind", [consentsSchema, orderSchema, lawSchema]);
export type Ground = z.infer<typeof groundSchema>;

const whatSchema = lineSchema(HOW_MAX_LENGTH).min(1, "Say what may be told, and to whom");

const scopeFields = {
  /** The files of the case that may go, and the addresses that they may go to. */
  fileIds: z.array(idSchema).max(FILES_MAX, `Choose at most ${FILES_MAX} files`),
  to: z.array(emailSchema).max(ADDRESSES_MAX, `Enter at most ${ADDRESSES_MAX} addresses`),
  /** Whether a court may have the report of who came and how it ended. */
  hasReport: z.boolean(),
  /** The court that may have the files; empty where none may, absent in records of before. */
  court: lineSchema(100).optional(),
};
type Scope = z.infer<z.ZodObject<typeof scopeFields>>;

/** Why this lets nothing out, by the field to blame; null where it does. */
export function whyNothing({
  fileIds,
  to,
  hasReport,
  court = "",
}: Scope): { path: "fileIds" | "to"; message: string } | null {
  if (fileIds.length === 0 && !hasReport)
    return { path: "fileIds", message: "Choose the files that may go, or the report" };
  if (fileIds.length > 0 && to.length === 0 && court === "")
    return { path: "to", message: "Enter the email addresses that the files may go to, or the court" };
  return null;
}

export const disclosureSchema = z.object({
  ...scopeFields,
  id: idSchema,
  what: z.string(),
  ground: groundSchema,
  at: instantSchema,
  byName: z.string(),
  /** Since when it lets out nothing any more, such as because somebody took their consent back. */
  endedAt: instantSchema.nullable(),
  endReason: z.string(),
});
export type Disclosure = z.infer<typeof disclosureSchema>;

const versioned = { id: idSchema, version: z.number().int().min(0) };

export const recordDisclosureSchema = z
  .strictObject({
    ...versioned,
    ...scopeFields,
    /** Chosen by the sender. */
    disclosureId: idSchema,
    what: whatSchema,
    ground: groundSchema,
  })
  .superRefine((input, context) => {
    const { ground } = input;
    if (ground.kind === "consents" && !eachOnce(ground.consents, ({ partyId }) => partyId))
      context.addIssue({ code: "custom", path: ["ground"], message: "Record one consent of each party" });
    const why = whyNothing(input);
    if (why) context.addIssue({ code: "custom", path: [why.path], message: why.message });
  });
export const endDisclosureSchema = z.strictObject({
  ...versioned,
  disclosureId: idSchema,
  reason: lineSchema(HOW_MAX_LENGTH).min(1, "Say why it ends"),
});

type Heard = Mortal & {
  partyId: string;
  respondedOn: string;
  intakeDoneOn: string;
  miamOn: string;
  assessedOn: string;
  consentedOn: string;
  agreementSignedOn: string;
};

/** Whether something here may be theirs: of whoever was never reached, or never answered, there is nothing to tell. */
const wasHeard = (party: Heard): boolean =>
  hasAnswered(party) ||
  party.status === "not_suitable" ||
  [
    party.respondedOn,
    party.intakeDoneOn,
    party.miamOn,
    party.assessedOn,
    party.consentedOn,
    party.agreementSignedOn,
  ].some(Boolean);

/** Whose consent it takes, also of those who left; of a case in which nobody was heard yet everybody's. */
export function askedOf<P extends Heard>(parties: readonly P[]): readonly P[] {
  const heard = parties.filter(wasHeard);
  return heard.length > 0 ? heard : parties;
}

interface Disclosing<Held> {
  parties: readonly Heard[];
  disclosures: readonly (Held & { ground: Ground; endedAt: unknown })[];
}

/** What lets something out of this case now: whoever takes part only since has not consented yet. */
export const standingDisclosures = <Held>({ parties, disclosures }: Disclosing<Held>): Held[] =>
  disclosures.filter(
    ({ ground, endedAt }) => endedAt === null && (ground.kind !== "consents" || coversAll(ground, parties)),
  );

export type Going = Pick<Scope, "fileIds" | "to">;

/** Whether one of these, as it stands, lets this file go to this address. */
export const mayGoTo = (
  standing: readonly Going[],
  { fileId, address }: { fileId: string; address: string },
): boolean =>
  standing.some(({ fileIds, to }) => fileIds.includes(fileId) && to.some((one) => samePerson(one, address)));

type Reporting = Pick<Disclosure, "hasReport" | "at"> & { ground: Ground };

interface Held {
  heldOn: string;
  /** When it was over; null while nobody said. */
  endedAt: Date | string | null;
}

/**
 * Whether a court may be told who came and how it ended: of a session that was held after they consented it may not, nor of
 * one that was over only after their consents were recorded.
 */
export const mayReport = (theCase: Disclosing<Reporting>, held: Held | null = null): boolean =>
  standingDisclosures(theCase).some(
    ({ hasReport, ground, at }) =>
      hasReport && (ground.kind !== "consents" || held === null || isCoveredBy(ground, { at, held })),
  );

const isCoveredBy = (
  { consents }: z.infer<typeof consentsSchema>,
  { at, held: { heldOn, endedAt } }: { at: string; held: Held },
): boolean => consents.every(({ on }) => on >= heldOn) && (endedAt === null || new Date(at) >= new Date(endedAt));

/** Whether each of them consented, while they lived: a death may be recorded after it. */
export const coversAll = (
  { consents }: z.infer<typeof consentsSchema>,
  parties: Disclosing<unknown>["parties"],
): boolean =>
  askedOf(parties).every((party) =>
    consents.some(({ partyId, on }) => partyId === party.partyId && !hadDied(party, on)),
  );

export const ONLY_THEY_RECORD =
  "The owner of the practice or a mediator of this case records what may be told outside it.";

export const NO_REPORT =
  "Nothing of a mediation goes to a court unless every party consents, a court orders it, or a law overrides. Record on the case first that the report may go.";
