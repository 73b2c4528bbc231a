// Who may read something of a case, and whose confidence it is. The only rules: the server's guard applies them.
import { z } from "zod";
import { idSchema } from "./ids.ts";

export const PARTIES_MAX = 10;

/**
 * Who may read: `mediator` the case's mediators and the owner, `staff` the practice, `party` the practice and the
 * parties in `partyIds`, `shared` the practice and all parties.
 */
export const VISIBILITY_SCOPES = ["mediator", "staff", "party", "shared"] as const;
export type VisibilityScope = (typeof VISIBILITY_SCOPES)[number];

const partyIdsSchema = z.array(idSchema).max(PARTIES_MAX);

export const visibilitySchema = z
  .strictObject({
    scope: z.enum(VISIBILITY_SCOPES),
    partyIds: partyIdsSchema,
    /** Whose confidence it is: nothing of it may reach another party, whatever the scope says. */
    aboutPartyIds: partyIdsSchema,
  })
  .superRefine(({ scope, partyIds, aboutPartyIds }, context) => {
    const report = (message: string) => context.addIssue({ code: "custom", path: ["scope"], message });
    if ((scope === "party") !== partyIds.length > 0) report("Name the parties who may read this, and only then");
    if (scope === "shared" && aboutPartyIds.length > 0)
      report("What is in one party's confidence is shared only by a release with their consent");
    if (scope === "party" && aboutPartyIds.some((about) => partyIds.some((reader) => reader !== about)))
      report("One party's confidence cannot be shown to another");
  });
export type Visibility = z.infer<typeof visibilitySchema>;

/** Said in a caucus: whatever becomes of it, no party reads it. */
export const isCaucus = ({ scope, aboutPartyIds }: Visibility): boolean =>
  aboutPartyIds.length > 0 && (scope === "staff" || scope === "mediator");

/** The practice's own: no party reads it. */
/** What a child said, and what was noted where a child was heard: the mediators', never a party's. */
export const CHILDREN_READERS: Visibility = { scope: "mediator", partyIds: [], aboutPartyIds: [] };
export const PRACTICE_ONLY: Visibility = { scope: "staff", partyIds: [], aboutPartyIds: [] };
export const MEDIATOR_ONLY: Visibility = { scope: "mediator", partyIds: [], aboutPartyIds: [] };
export const SHARED: Visibility = { scope: "shared", partyIds: [], aboutPartyIds: [] };
/** For one party's eyes, and in their confidence. */
export const forParty = (partyId: string): Visibility => ({
  scope: "party",
  partyIds: [partyId],
  aboutPartyIds: [partyId],
});
/** Shared where these are all who take part; else for their eyes alone, and in nobody's confidence. */
export const amongThese = (
  { parties }: { parties: readonly Pick<PartyReader, "partyId" | "leftAt">[] },
  readers: readonly Pick<PartyReader, "partyId">[],
): Visibility => {
  const partyIds = readers.map(({ partyId }) => partyId);
  return parties.every(({ partyId, leftAt }) => leftAt !== null || partyIds.includes(partyId))
    ? SHARED
    : { scope: "party", partyIds, aboutPartyIds: [] };
};
/** Said by one party in confidence: kept by the practice. */
export const caucusOf = (partyId: string): Visibility => ({ scope: "staff", partyIds: [], aboutPartyIds: [partyId] });

/** Who has to agree before others read it: whose confidence it is, or else those for whose eyes alone it was. */
export const mustConsent = ({ scope, partyIds, aboutPartyIds }: Visibility): readonly string[] =>
  aboutPartyIds.length > 0 || scope !== "party" ? aboutPartyIds : partyIds;

/** Who reads that something was done with it: the practice, because its readers may become fewer, and a line stays. */
export const lineVisibility = (visibility: Visibility): Visibility =>
  visibility.scope === "party" || visibility.scope === "shared" ? PRACTICE_ONLY : visibility;

type Time = Date | string | null;

/** Something with its readers, and its times; null where it bears none. */
export interface Readable {
  visibility: Visibility;
  /** Since when it has been there for its readers. */
  since: Time;
  /** When what they are shown of it last changed. */
  changedAt: Time;
  /** Tells of what happened in the case: also whom it names learns of it only where they were there. */
  isEvent?: boolean;
}

/** Of what bears no time, such as a mail that is answered. */
export const NO_TIMES = { since: null, changedAt: null } as const;

/** A party with the time they were in the case: from the start, and until now, where these are null. */
export interface PartyReader {
  partyId: string;
  joinedAt: Time;
  leftAt: Time;
  /** When they had left, and came back. */
  absences: readonly { from: Date | string; to: Date | string }[];
}

/**
 * Whether this party may read it. Nobody reads what is in another's confidence. What is shared is shared with whoever is
 * in the case then, and a new text is a new sharing: who joins later, has left, or was away reads of it only what names
 * them, or what is shared again.
 */
export function mayPartyRead({ visibility, isEvent = false, ...times }: Readable, reader: PartyReader): boolean {
  if (visibility.aboutPartyIds.some((about) => about !== reader.partyId)) return false;
  if (visibility.scope === "shared") return wasThere(reader, times);
  if (visibility.scope !== "party" || !visibility.partyIds.includes(reader.partyId)) return false;
  return !isEvent || wasThere(reader, times);
}

/**
 * All the time from when it was shared until it last changed: what was written while they were away stays hidden when
 * somebody edits it again after their return.
 */
export function wasThere(
  { joinedAt, leftAt, absences }: Omit<PartyReader, "partyId">,
  { since, changedAt }: Pick<Readable, "since" | "changedAt">,
): boolean {
  if (joinedAt === null && leftAt === null && absences.length === 0) return true;
  if (since === null || changedAt === null) return false;
  const first = timeOf(since);
  const last = timeOf(changedAt);
  return (
    (joinedAt === null || first > timeOf(joinedAt)) &&
    (leftAt === null || last < timeOf(leftAt)) &&
    absences.every(({ from, to }) => last < timeOf(from) || first > timeOf(to))
  );
}

const timeOf = (time: Date | string): number => new Date(time).getTime();

const RANKS: Record<VisibilityScope, number> = { mediator: 0, staff: 1, party: 2, shared: 3 };

/** Whether everybody who may read `after` may read `before` too, and whose confidence it is has not changed. */
export function isNoWider(before: Visibility, after: Visibility): boolean {
  const isSameConfidence = [...before.aboutPartyIds].toSorted().join() === [...after.aboutPartyIds].toSorted().join();
  if (!isSameConfidence || RANKS[after.scope] > RANKS[before.scope]) return false;
  return before.scope !== "party" || after.partyIds.every((partyId) => before.partyIds.includes(partyId));
}

/**
 * Whether a copy lets nobody read what the original keeps from them, now or by a consent that would not do for the
 * original.
 */
export const isNoWiderCopy = (original: Visibility, copy: Visibility): boolean =>
  RANKS[copy.scope] <= RANKS[original.scope] &&
  (original.scope !== "party" || copy.partyIds.every((partyId) => original.partyIds.includes(partyId))) &&
  mustConsent(original).every((partyId) => mustConsent(copy).includes(partyId));

export interface StaffReader {
  isOwner: boolean;
  /** Is one of this case's mediators. */
  isMediator: boolean;
  mayReadPrivate: boolean;
}

/** Whether this person of the practice may read it; who must not read private notes reads no caucus either. */
export function mayStaffRead(visibility: Visibility, reader: StaffReader): boolean {
  if (reader.isOwner) return true;
  if (visibility.scope === "mediator") return reader.isMediator && reader.mayReadPrivate;
  return visibility.scope !== "staff" || visibility.aboutPartyIds.length === 0 || reader.mayReadPrivate;
}
