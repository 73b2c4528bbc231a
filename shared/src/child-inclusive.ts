// Child-inclusive mediation: who consented that a child is heard, when, and what is still missing. What a child says is
// never kept here.
import { z } from "zod";
import { isTakingPart, type PartyStatus } from "./case-states.ts";
import { idSchema } from "./ids.ts";
import { lineSchema } from "./text.ts";
import { daySchema } from "./time.ts";
import { PARTIES_MAX } from "./visibility.ts";

/** From this birthday on a child is offered to be heard (Family Mediation Council, Standards). */
export const HEARD_FROM_AGE = 10;
export const OVERRIDE_REASON_MAX_LENGTH = 300;

/** The last is from before days were kept: it is asked for again. */
export const CONSENT_STATES = ["given", "withdrawn", "undated"] as const;
export type ConsentState = (typeof CONSENT_STATES)[number];
export const CONSENT_STATE_NAMES = {
  given: "Consents",
  withdrawn: "Withdrew",
  undated: "Recorded before dates were kept",
} as const satisfies Record<ConsentState, string>;

export const CONSENT_WAYS = ["in_writing", "in_person", "by_video", "by_phone"] as const;
export type ConsentWay = (typeof CONSENT_WAYS)[number];
export const CONSENT_WAY_NAMES = {
  in_writing: "In writing",
  in_person: "In person",
  by_video: "By video",
  by_phone: "By phone",
} as const satisfies Record<ConsentWay, string>;

export const VOICE_OUTCOMES = ["wants_to", "does_not_want", "parents_object", "not_suitable"] as const;
export type VoiceOutcome = (typeof VOICE_OUTCOMES)[number];
export const VOICE_OUTCOME_NAMES = {
  wants_to: "Wants to be heard",
  does_not_want: "Does not want to be heard",
  parents_object: "A parent does not agree",
  not_suitable: "Not suitable",
} as const satisfies Record<VoiceOutcome, string>;

const optionalDaySchema = z.union([z.literal(""), daySchema]);

const needsDay = ({ state, on }: { state: string; on: string }): boolean =>
  (state !== "given" && state !== "withdrawn") || on !== "";

const parentConsentSchema = z
  .strictObject({
    partyId: idSchema,
    state: z.enum(CONSENT_STATES),
    on: optionalDaySchema,
    how: z.enum([...CONSENT_WAYS, ""]),
  })
  .refine(needsDay, { path: ["on"], message: "Enter the day" })
  .refine(({ state, how }) => state !== "given" || how !== "", { path: ["how"], message: "Say how they consented" });

export const inclusionSchema = z.strictObject({
  isOffered: z.boolean(),
  /** Of each party apart. */
  parents: z.array(parentConsentSchema).max(PARTIES_MAX),
  child: z
    .strictObject({ state: z.enum([...CONSENT_STATES, ""]), on: optionalDaySchema })
    .refine(needsDay, { path: ["on"], message: "Enter the day" }),
  /** When a child of ten or over was offered to be heard, and what came of it. */
  voice: z
    .strictObject({ offeredOn: optionalDaySchema, outcome: z.enum([...VOICE_OUTCOMES, ""]) })
    .refine(({ offeredOn, outcome }) => outcome === "" || offeredOn !== "", {
      path: ["offeredOn"],
      message: "Enter the day",
    }),
  overrideReason: lineSchema(OVERRIDE_REASON_MAX_LENGTH),
});
export type Inclusion = z.infer<typeof inclusionSchema>;

export const NOT_INCLUDED: Inclusion = {
  isOffered: false,
  parents: [],
  child: { state: "", on: "" },
  voice: { offeredOn: "", outcome: "" },
  overrideReason: "",
};

/**
 * Whether a child has had their tenth birthday on this day. Whoever was born on 29 February has it on 1 March in other
 * years: as text the day that does not exist comes after 28 February.
 */
export function isOldEnough(dateOfBirth: string, today: string): boolean {
  const tenth = Number(dateOfBirth.slice(0, 4)) + HEARD_FROM_AGE;
  return dateOfBirth !== "" && `${tenth}${dateOfBirth.slice(4)}` <= today;
}

interface Child {
  firstName: string;
  dateOfBirth: string;
  cim: Inclusion;
}

/** Whether it is still to be asked if this child wants to be heard. */
export const isVoiceOpen = ({ dateOfBirth, cim }: Child, today: string): boolean =>
  isOldEnough(dateOfBirth, today) && cim.voice.outcome === "";

interface Asked {
  domain: string;
  parties: readonly { partyId: string; name: string; status: PartyStatus }[];
  children: readonly Child[];
}

interface When {
  today: string;
  /** The day of a meeting that was held: who withdrew after it had consented to it. */
  heldOn?: string;
}

/** What still stands in the way of a meeting with the children to whom it was offered, in words; nothing where all is there. */
export function missingForChildren({ domain, parties, children }: Asked, when: When): string[] {
  if (domain !== "family") return ["only family mediation has child-inclusive meetings"];
  const offered = children.filter(({ cim }) => cim.isOffered);
  if (offered.length === 0) return ["no child of the case is offered to be heard"];
  const parents = parties.filter(isTakingPart);
  return offered.flatMap((child) => [
    ...parents.flatMap(({ partyId, name }) => {
      const said = child.cim.parents.filter((one) => one.partyId === partyId);
      // Lists from before each parent stood there once.
      const consent = said.find(({ state }) => state === "withdrawn") ?? said[0] ?? NOT_INCLUDED.child;
      return missingConsent(consent, when, { name, forWhom: ` for ${child.firstName}` });
    }),
    ...missingConsent(child.cim.child, when, { name: child.firstName, forWhom: "" }),
    ...missingVoice(child, when),
  ]);
}

function missingConsent(
  { state, on }: Inclusion["child"],
  { today, heldOn = today }: When,
  { name, forWhom }: { name: string; forWhom: string },
): string[] {
  switch (state) {
    case "given":
      return on > today ? [`the consent of ${name}${forWhom} has a day that has not come yet, so correct it`] : [];
    case "withdrawn":
      return heldOn < on && on <= today ? [] : [`${name} withdrew consent${forWhom}`];
    case "undated":
      return [`the consent of ${name}${forWhom} was recorded before dates were kept, so ask again`];
    case "":
      return [`${name} has not consented${forWhom}`];
  }
}

function missingVoice({ firstName, dateOfBirth, cim }: Child, { today, heldOn = today }: When): string[] {
  if (dateOfBirth === "") return [`it is not recorded when ${firstName} was born`];
  if (!isOldEnough(dateOfBirth, heldOn) || cim.voice.outcome === "wants_to") return [];
  return cim.voice.outcome === ""
    ? [`${firstName} is ten or over, and it is not recorded whether they want to be heard`]
    : [`${firstName} is not to be heard`];
}
