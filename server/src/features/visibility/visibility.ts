// The one place that decides what of a case somebody may see. Whatever is read, listed, searched, sent or exported
// passes it; the rules themselves are in shared/visibility.
import mongoose from "mongoose";
import { can, isMediatorOf, ROLES } from "@app/shared/access";
import type { Case } from "@app/shared/cases";
import type { PreviewItem } from "@app/shared/party-preview";
import { mayPartyRead, mayStaffRead, type StaffReader, type Visibility } from "@app/shared/visibility";
import { badField } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";

export type Reader = { kind: "party"; partyId: string } | ({ kind: "staff" } & StaffReader);

interface Guarded {
  visibility: Visibility;
}

/** Something of a case on its way to a party, with who may read it. */
export type GuardedItem = PreviewItem & Guarded;

/** Somebody of the practice, looking at this case, or at what belongs to a client without one. */
export const staffReader = (scope: Scope, theCase: Pick<Case, "mediators"> | null): Reader => ({
  kind: "staff",
  isOwner: scope.role === ROLES.owner,
  isMediator: isMediatorOf(scope, theCase?.mediators ?? []),
  mayReadPrivate: can(scope, "notes.private.read"),
});

/** One party of the case, who sees nothing of another's. */
export const partyReader = (partyId: string): Reader => ({ kind: "party", partyId });

export const mayRead = (reader: Reader, visibility: Visibility): boolean =>
  reader.kind === "party" ? mayPartyRead(visibility, reader.partyId) : mayStaffRead(visibility, reader);

export const onlyReadable = <Item extends Guarded>(reader: Reader, items: readonly Item[]): Item[] =>
  items.filter((item) => mayRead(reader, item.visibility));

/** The same rule as a filter on stored documents with a `visibility`, for lists that are paged by the database. */
export function readableFilter(reader: Reader): Record<string, unknown> {
  if (reader.kind === "party") return readableByParty(reader.partyId);
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

function readableByParty(partyId: string): Record<string, unknown> {
  const isOfNobodyElse = { "visibility.aboutPartyIds": mongoose.trusted({ $not: { $elemMatch: { $ne: partyId } } }) };
  const isShown = [{ "visibility.scope": "shared" }, { "visibility.scope": "party", "visibility.partyIds": partyId }];
  return { $and: [isOfNobodyElse, { $or: isShown }] };
}

/** Throws where this names a party that the case does not have. */
export function assertVisibilityFits(theCase: Pick<Case, "parties"> | null, visibility: Visibility): void {
  const known = new Set(theCase?.parties.map(({ partyId }) => partyId));
  const named = [...visibility.partyIds, ...visibility.aboutPartyIds];
  if (named.some((partyId) => !known.has(partyId)))
    throw badField("visibility", "Choose who may read this: a person named here is not a party to this case.");
}
