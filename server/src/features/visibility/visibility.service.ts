// The one place that decides what of a case somebody may see. Whatever is read, listed, searched, sent or exported
// passes it; the rules themselves are in shared/visibility.
import mongoose from "mongoose";
import { can, ROLES } from "@app/shared/access";
import { OWN_LINE_KINDS } from "@app/shared/history";
import { isMediatorOf } from "@app/shared/team-access";
import type { Case } from "@app/shared/cases";
import type { PreviewItem } from "@app/shared/party-preview";
import {
  isNoWider,
  mayPartyRead,
  mayStaffRead,
  mustConsent,
  type PartyReader,
  type Readable,
  type StaffReader,
  type Visibility,
} from "@app/shared/visibility";
import { badField } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import type { ForParty } from "./for-party.service.ts";

interface Guarded {
  visibility: Visibility;
}

/** Something of a case on its way to a party, with who may read it. */
export type GuardedItem = PreviewItem & Readable & { length?: number };

/** What one party may read of a kind. */
export type PartyItems = ForParty<readonly GuardedItem[]>;

/** Somebody of the practice, looking at this case, or at what belongs to a client without one. */
export const staffReader = (scope: Scope, theCase: Pick<Case, "mediators"> | null): StaffReader => ({
  isOwner: scope.role === ROLES.owner,
  isMediator: isMediatorOf(scope, theCase?.mediators ?? []),
  mayReadPrivate: can(scope, "notes.private.read"),
});

export const mayRead = (reader: StaffReader, visibility: Visibility): boolean => mayStaffRead(visibility, reader);

export const onlyReadable = <Item extends Guarded>(reader: StaffReader, items: readonly Item[]): Item[] =>
  items.filter((item) => mayRead(reader, item.visibility));

/** The same rule as a filter on stored documents with a `visibility`, for lists that are paged by the database. */
export function readableFilter(reader: StaffReader): Record<string, unknown> {
  if (reader.isOwner) return {};
  const scopes = reader.isMediator && reader.mayReadPrivate ? ["staff", "party", "shared", "mediator"] : undefined;
  const readable = { "visibility.scope": mongoose.trusted({ $in: scopes ?? ["staff", "party", "shared"] }) };
  if (reader.mayReadPrivate) return readable;
  const isNoCaucus = [
    { "visibility.scope": mongoose.trusted({ $ne: "staff" }) },
    { "visibility.aboutPartyIds": mongoose.trusted({ $size: 0 }) },
  ];
  return { $and: [readable, { $or: isNoCaucus }] };
}

/** The same for all that belongs to these cases, in a few conditions however many there are. */
export function readableInCases(
  scope: Scope,
  cases: readonly Pick<Case, "id" | "mediators">[],
): Record<string, unknown>[] {
  const byPart = Map.groupBy(cases, (theCase) => isMediatorOf(scope, theCase.mediators));
  return [...byPart.values()].map((alike) => ({
    caseId: mongoose.trusted({ $in: alike.map(({ id }) => id) }),
    ...readableFilter(staffReader(scope, alike[0] ?? null)),
  }));
}

/** The fields that hold since when a thing has been there, and when what its readers are shown last changed. */
const STORED_TIMES = {
  note: { since: "createdAt", changedAt: "savedAt" },
  file: { since: "createdAt", changedAt: "changedAt" },
  history: { since: "at", changedAt: "at" },
} as const;

/** The same for a party. */
export function readableByParty(reader: PartyReader, kind: keyof typeof STORED_TIMES): Record<string, unknown> {
  const { partyId } = reader;
  const isOfNobodyElse = { "visibility.aboutPartyIds": mongoose.trusted({ $not: { $elemMatch: { $ne: partyId } } }) };
  const times = timesOf(reader, kind);
  const isNamed = { "visibility.scope": "party", "visibility.partyIds": partyId };
  const isShown = [
    { "visibility.scope": "shared", $and: times },
    kind === "history" ? { ...isNamed, $or: [...IS_NO_EVENT, { $and: times }] } : isNamed,
  ];
  return { $and: [isOfNobodyElse, { $or: isShown }] };
}

/** The lines of the history that those whom they name read whether they were there or not. */
const IS_NO_EVENT = [{ kind: mongoose.trusted({ $in: [...OWN_LINE_KINDS] }) }, { "meeting.isOff": true }];

/** While this party was in the case: from when it was shared until it last changed. */
function timesOf(
  { joinedAt, leftAt, absences }: PartyReader,
  kind: keyof typeof STORED_TIMES,
): Record<string, unknown>[] {
  const { since, changedAt } = STORED_TIMES[kind];
  const joined = joinedAt ? [{ [since]: mongoose.trusted({ $gt: new Date(joinedAt) }) }] : [];
  const left = leftAt ? [{ [changedAt]: mongoose.trusted({ $lt: new Date(leftAt) }) }] : [];
  const away = absences.map(({ from, to }) => ({
    $or: [
      { [changedAt]: mongoose.trusted({ $lt: new Date(from) }) },
      { [since]: mongoose.trusted({ $gt: new Date(to) }) },
    ],
  }));
  return [{}, ...joined, ...left, ...away];
}

/** Throws where this names a party that the case does not have. */
export function assertVisibilityFits(theCase: Pick<Case, "parties"> | null, visibility: Visibility): void {
  const known = new Set(theCase?.parties.map(({ partyId }) => partyId));
  const named = [...visibility.partyIds, ...visibility.aboutPartyIds];
  if (named.some((partyId) => !known.has(partyId)))
    throw badField("visibility", "Choose who may read this: a person named here is not a party to this case.");
}

/**
 * What is stored where something that is kept is to be shown to fewer people. Whose confidence it is stays with it, also
 * where that follows only from who could read it. Throws where it would be shown to more: a party's confidence widens
 * only by a release, which is a new record. Nobody who joined later is let in by being named.
 */
export function narrowed(theCase: Pick<Case, "parties"> | null, before: Readable, after: Visibility): Visibility {
  const added = theCase?.parties.filter(({ partyId }) => after.partyIds.includes(partyId)) ?? [];
  if (!isNoWider(before.visibility, after) || added.some((party) => !mayPartyRead(before, party)))
    throw badField(
      "visibility",
      "What is kept can be shown to fewer people, never to more. To let a party's words out, release them with their consent.",
    );
  const confidants = mustConsent(before.visibility);
  if (after.scope !== "party") return { ...after, aboutPartyIds: [...confidants] };
  const remaining = mustConsent(after);
  if (!confidants.every((partyId) => remaining.includes(partyId)))
    throw badField(
      "visibility",
      "It is for the eyes of these people together, so all of them decide who else sees it. Show it to the practice only, and write what one of them may read anew.",
    );
  return after;
}
