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

/** The practice's own: no party reads it. */
export const PRACTICE_ONLY: Visibility = { scope: "staff", partyIds: [], aboutPartyIds: [] };
export const MEDIATOR_ONLY: Visibility = { scope: "mediator", partyIds: [], aboutPartyIds: [] };
export const SHARED: Visibility = { scope: "shared", partyIds: [], aboutPartyIds: [] };
/** For one party's eyes, and in their confidence. */
export const forParty = (partyId: string): Visibility => ({
  scope: "party",
  partyIds: [partyId],
  aboutPartyIds: [partyId],
});
/** Said by one party in confidence: kept by the practice. */
export const caucusOf = (partyId: string): Visibility => ({ scope: "staff", partyIds: [], aboutPartyIds: [partyId] });

/** Whether this party may read it. Nobody reads what is in another's confidence. */
export function mayPartyRead(visibility: Visibility, partyId: string): boolean {
  if (visibility.aboutPartyIds.some((about) => about !== partyId)) return false;
  if (visibility.scope === "shared") return true;
  return visibility.scope === "party" && visibility.partyIds.includes(partyId);
}

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
