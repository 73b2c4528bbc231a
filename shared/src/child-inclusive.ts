// Child-inclusive mediation: who consented that a child is heard, when, and what is still missing. What a child says is
// never kept here.
import { z } from "zod";
import type { PartyStatus } from "./case-states.ts";
import { idSchema } from "./ids.ts";
import { hasWord } from "./has-word.ts";
import { lineSchema } from "./text.ts";
import { daySchema } from "./time.ts";
import { PARTIES_MAX } from "./visibility.ts";

/** From this birthday on a child is offered to be heard (Family Mediation Council, Standards). */
export const HEARD_FROM_AGE = 10;
/** From this birthday on nobody is a child (Children Act 1989, section 105). */
const GROWN_UP_AGE = 18;
/** Of one case. */
export const CHILDREN_MAX = 12;
export const OVERRIDE_REASON_MAX_LENGTH = 300;
export const OTHER_PARENT_MAX_LENGTH = 100;
/** Of one child: those with parental responsibility who are no party of the case. */
export const OTHER_PARENTS_MAX = 4;

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

const consentFields = { on: optionalDaySchema, how: z.enum([...CONSENT_WAYS, ""]) };
const DAY = { path: ["on"], message: "Enter the day" };
const HOW = { path: ["how"], message: "Say how they consented" };
const needsWay = ({ state, how }: { state: string; how: string }): boolean => state !== "given" || how !== "";

const parentConsentSchema = z
  .strictObject({ partyId: idSchema, state: z.enum(CONSENT_STATES), ...consentFields })
  .refine(needsDay, DAY)
  .refine(needsWay, HOW);

/** Of a parent who is not a party; the state is empty until they were asked. */
const otherParentSchema = z
  .strictObject({
    name: lineSchema(OTHER_PARENT_MAX_LENGTH).refine(hasWord, "Name this parent"),
    state: z.enum([...CONSENT_STATES, ""]),
    ...consentFields,
  })
  .refine(needsDay, DAY)
  .refine(needsWay, HOW);

export const inclusionSchema = z.strictObject({
  isOffered: z.boolean(),
  /** Whether each party has parental responsibility for this child; whoever is not named was not asked. */
  responsibility: z.array(z.strictObject({ partyId: idSchema, isHeld: z.boolean() })).max(PARTIES_MAX),
  /** Of each party apart. */
  parents: z.array(parentConsentSchema).max(PARTIES_MAX),
  otherParents: z.array(otherParentSchema).max(OTHER_PARENTS_MAX),
  child: z.strictObject({ state: z.enum([...CONSENT_STATES, ""]), on: optionalDaySchema }).refine(needsDay, DAY),
  /** When a child of ten or over was offered to be heard, and what came of it. */
  voice: z
    .strictObject({ offeredOn: optionalDaySchema, outcome: z.enum([...VOICE_OUTCOMES, ""]) })
    .refine(({ offeredOn, outcome }) => outcome === "" || offeredOn !== "", {
      path: ["offeredOn"],
      message: "Enter the day",
    }),
  /** Why a child under ten is heard, or one of ten or over is not though they did not say no. */
  overrideReason: lineSchema(OVERRIDE_REASON_MAX_LENGTH),
});
export type Inclusion = z.infer<typeof inclusionSchema>;

export const NOT_INCLUDED: Inclusion = {
  isOffered: false,
  responsibility: [],
  parents: [],
  otherParents: [],
  child: { state: "", on: "" },
  voice: { offeredOn: "", outcome: "" },
  overrideReason: "",
};

/**
 * Whether a child has had their tenth birthday on this day. Whoever was born on 29 February has it on 1 March in other
 * years: as text the day that does not exist comes after 28 February.
 */
export const isOldEnough = (dateOfBirth: string, today: string): boolean =>
  hasHadBirthday(dateOfBirth, HEARD_FROM_AGE, today);

/** Whether somebody was grown up on this day; nobody is whose birthday is not known. */
export const isGrownUp = (dateOfBirth: string, day: string): boolean => hasHadBirthday(dateOfBirth, GROWN_UP_AGE, day);

const hasHadBirthday = (dateOfBirth: string, age: number, today: string): boolean =>
  dateOfBirth !== "" && `${Number(dateOfBirth.slice(0, 4)) + age}${dateOfBirth.slice(4)}` <= today;

interface Child {
  childId: string;
  firstName: string;
  dateOfBirth: string;
  cim: Inclusion;
}

/** Whether others than the child decided that a child who is old enough is not heard. */
const NOT_HEARD: readonly string[] = ["parents_object", "not_suitable"] satisfies VoiceOutcome[];
export const isKeptUnheard = ({ voice }: Pick<Inclusion, "voice">): boolean => NOT_HEARD.includes(voice.outcome);

/** Why a child under ten is heard is asked as soon as their day of birth is known. */
export const isHeardYoung = ({ dateOfBirth, cim }: Pick<Child, "dateOfBirth" | "cim">, today: string): boolean =>
  cim.isOffered && dateOfBirth !== "" && !isOldEnough(dateOfBirth, today);

/** Whether it is still to be asked if this child wants to be heard. */
export const isVoiceOpen = ({ dateOfBirth, cim }: Pick<Child, "dateOfBirth" | "cim">, today: string): boolean =>
  isOldEnough(dateOfBirth, today) && cim.voice.outcome === "";

interface Asked {
  domain: string;
  parties: readonly { partyId: string; name: string; status?: PartyStatus }[];
  children: readonly Child[];
  /** With whom the meeting is; none in what was booked before that was asked. */
  childIds: readonly string[];
}

interface When {
  today: string;
  /** The day of the meeting, where it was held or is to come: who withdrew after it had consented to it. */
  heldOn?: string;
  /** Whether that it was held is recorded, and nothing else: who withdrew on that day may have done so after it. */
  isOnlyNoted?: boolean;
  /** The day on which the round before that of the meeting was over: what was said before it counts no more. */
  over?: string;
}

/** What still stands in the way of a meeting with these children, in words; nothing where all is there. */
export function missingForChildren({ domain, parties, children, childIds }: Asked, when: When): string[] {
  if (domain !== "family") return ["only family mediation has child-inclusive meetings"];
  const missingOf = (child: Child) => missingForOne(child, parties, when);
  const offered = children.filter(({ cim }) => cim.isOffered);
  if (childIds.length === 0) {
    if (offered.length === 0) return ["no child of the case is offered to be heard"];
    return offered.some((child) => missingOf(child).length === 0) ? [] : offered.flatMap(missingOf);
  }
  const chosen = children.filter(({ childId }) => childIds.includes(childId));
  const isOneGone = childIds.some((id) => !children.some(({ childId }) => childId === id));
  return [
    ...(isOneGone ? ["a child whom it is with is not in the case any more, so choose them again"] : []),
    ...chosen.flatMap((child) =>
      child.cim.isOffered ? missingOf(child) : [`it is not recorded that ${child.firstName} was offered to be heard`],
    ),
  ];
}

const missingForOne = (child: Child, parties: Asked["parties"], when: When): string[] => [
  ...missingOfParents(child, parties, when),
  ...missingConsent(child.cim.child, when, { name: child.firstName, forWhom: "" }),
  ...missingVoice(child, when),
];

/** Of whoever has parental responsibility, and nobody else: whether they take part, left, or never were a party. */
function missingOfParents({ firstName, cim }: Child, parties: Asked["parties"], when: When): string[] {
  const forWhom = ` for ${firstName}`;
  const ofParties = parties.flatMap(({ partyId, name, status }) => {
    // Nobody is left whose consent could be asked for.
    if (status === "died") return [];
    const known = cim.responsibility.find((one) => one.partyId === partyId);
    if (!known) return [`it is not recorded whether ${name} has parental responsibility${forWhom}`];
    if (!known.isHeld) return [];
    const said = cim.parents.filter((one) => one.partyId === partyId);
    // Lists from before each parent stood there once.
    const consent = said.find(({ state }) => state === "withdrawn") ?? said[0] ?? NOT_INCLUDED.child;
    return missingConsent(consent, when, { name, forWhom });
  });
  const ofOthers = cim.otherParents.flatMap((parent) => missingConsent(parent, when, { name: parent.name, forWhom }));
  const isNobodys = cim.otherParents.length === 0 && cim.responsibility.every(({ isHeld }) => !isHeld);
  if (ofParties.length === 0 && isNobodys) return [`nobody is recorded who has parental responsibility${forWhom}`];
  return [...ofParties, ...ofOthers];
}

function missingConsent(
  { state, on }: Inclusion["child"],
  { today, heldOn = today, isOnlyNoted = false, over = "" }: When,
  { name, forWhom }: { name: string; forWhom: string },
): string[] {
  switch (state) {
    case "given":
      if (on > today) return [`the consent of ${name}${forWhom} has a day that has not come yet, so correct it`];
      if (on < over) return [`${name} consented${forWhom} before the case was reopened, so ask again`];
      return on > heldOn ? [`${name} consented${forWhom} only after that day`] : [];
    case "withdrawn":
      if (isOnlyNoted && heldOn === on) return [];
      return heldOn < on && on <= today ? [] : [`${name} withdrew consent${forWhom}`];
    case "undated":
      return [`the consent of ${name}${forWhom} was recorded before dates were kept, so ask again`];
    case "":
      return [`${name} has not consented${forWhom}`];
  }
}

function missingVoice({ firstName, dateOfBirth, cim }: Child, { today, heldOn = today, over = "" }: When): string[] {
  if (dateOfBirth === "") return [`it is not recorded when ${firstName} was born`];
  if (isGrownUp(dateOfBirth, heldOn)) return [`${firstName} is 18 or over, and no child any more`];
  const { outcome, offeredOn } = cim.voice;
  if (outcome !== "" && offeredOn < over)
    return [`${firstName} said before the case was reopened whether they want to be heard, so ask again`];
  // Also of a child under ten who was asked: why they are heard does not go against what they said.
  if (outcome !== "" && outcome !== "wants_to") return [`${firstName} is not to be heard`];
  if (!isOldEnough(dateOfBirth, heldOn))
    return hasWord(cim.overrideReason) ? [] : [`${firstName} is under ten, and it is not recorded why they are heard`];
  return outcome === "wants_to"
    ? []
    : [`${firstName} is ten or over, and it is not recorded whether they want to be heard`];
}
