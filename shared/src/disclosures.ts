// What lets something of a mediation out of it: every party's consent, or the order of a court.
import { z } from "zod";
import { idSchema } from "./ids.ts";
import { lineSchema } from "./text.ts";
import { daySchema, instantSchema } from "./time.ts";

export const DISCLOSURES_MAX = 20;
const HOW_MAX_LENGTH = 200;

const consentsSchema = z.strictObject({
  kind: z.literal("consents"),
  /** Of each party, when and how they consented. */
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
const groundSchema = z.discriminatedUnion("kind", [consentsSchema, orderSchema]);
export type Ground = z.infer<typeof groundSchema>;

const whatSchema = lineSchema(HOW_MAX_LENGTH).min(1, "Say what may be told, and to whom");

export const disclosureSchema = z.object({
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

export const recordDisclosureSchema = z.strictObject({
  ...versioned,
  /** Chosen by the sender. */
  disclosureId: idSchema,
  what: whatSchema,
  ground: groundSchema,
});
export const endDisclosureSchema = z.strictObject({
  ...versioned,
  disclosureId: idSchema,
  reason: lineSchema(HOW_MAX_LENGTH).min(1, "Say why it ends"),
});

interface Disclosing {
  parties: readonly { partyId: string }[];
  disclosures: readonly { ground: Ground; endedAt: unknown }[];
}

/** Whether something of this case may be told outside it: whoever joins later has not consented yet. */
export const mayDisclose = ({ parties, disclosures }: Disclosing): boolean =>
  disclosures.some(
    ({ ground, endedAt }) => endedAt === null && (ground.kind === "order" || coversAll(ground, parties)),
  );

export const coversAll = ({ consents }: z.infer<typeof consentsSchema>, parties: Disclosing["parties"]): boolean =>
  parties.every(({ partyId }) => consents.some((consent) => consent.partyId === partyId));

export const NOT_DISCLOSED =
  "Nothing of a mediation goes to a court or anyone else outside it unless every party consents or a court orders it. Record that on the case first.";
