// What may leave for a party is made here and nowhere else. Every way out takes a `ForParty` value, so that a guard that
// is left out does not compile, and what was made for one party opens for no other.
import { z } from "zod";
import type { Party } from "@app/shared/cases";
import { mayPartyRead, type Readable, type Visibility } from "@app/shared/visibility";
import { partyLeak } from "./party-leak.service.ts";

type RecipientParty = Pick<Party, "partyId" | "clientId" | "label" | "joinedAt" | "leftAt" | "absences">;

/** One party of a case, to whom something is to go. */
export interface Recipient {
  theCase: { id: string; parties: readonly RecipientParty[] };
  partyId: string;
}

/** For whom something was made; without a case for a client apart from all their cases, or for somebody who is none. */
export interface MadeFor {
  caseId: string | null;
  partyId: string | null;
  clientId: string | null;
}

// Not exported: nobody else can write a value of this type, nor read what it holds.
const SEALED: unique symbol = Symbol("made for one party");

/** Something that passed the guard for one party; JSON and mails made of it without opening it are empty. */
export interface ForParty<Content> {
  readonly [SEALED]: { readonly madeFor: MadeFor; readonly content: Content };
}

const seal = <Content>(madeFor: MadeFor, content: Content): ForParty<Content> =>
  Object.freeze({ [SEALED]: Object.freeze({ madeFor: Object.freeze({ ...madeFor }), content }) });

const leak = (who: string) =>
  partyLeak(`this holds something that ${who} may not see, so nothing was sent. Take it out and try again.`);

/** The party as a reader; throws where the case has none such. */
export function partyOf({ theCase, partyId }: Recipient): RecipientParty {
  const party = theCase.parties.find((one) => one.partyId === partyId);
  if (!party) throw leak("this person");
  return party;
}

function madeFor(to: Recipient): MadeFor {
  return { caseId: to.theCase.id, partyId: to.partyId, clientId: partyOf(to).clientId };
}

/** Those of these things that this party may read. */
export function readableFor<Item extends Readable>(to: Recipient, items: readonly Item[]): ForParty<readonly Item[]> {
  const reader = partyOf(to);
  const readable = items.filter((item) => mayPartyRead(item, reader));
  return seal(madeFor(to), readable);
}

/** Something for this party, made of these parts. Throws where they may not read one of them. */
export function sealFor<Content>(to: Recipient, content: Content, parts: readonly Readable[]): ForParty<Content> {
  const reader = partyOf(to);
  if (parts.some((part) => !mayPartyRead(part, reader))) throw leak(reader.label);
  return seal(madeFor(to), content);
}

/** Something for a client apart from their cases, or for somebody who is no client: only of what all may read. */
export function sealForNoParty<Content>(
  clientId: string | null,
  content: Content,
  parts: readonly { visibility: Visibility }[],
): ForParty<Content> {
  if (parts.some(({ visibility }) => visibility.scope !== "shared" || visibility.aboutPartyIds.length > 0))
    throw leak("this person");
  return seal({ caseId: null, partyId: null, clientId }, content);
}

/** The same in other words, for the same party. */
export const mapFor = <Content, Other>(
  value: ForParty<Content>,
  change: (content: Content) => Other,
): ForParty<Other> => seal(madeForOf(value), change(contentOf(value)));

/** Several things for one party as one; throws where one of them was made for somebody else. */
export const joinFor = <Item>(to: Recipient, values: readonly ForParty<readonly Item[]>[]): ForParty<readonly Item[]> =>
  seal(
    madeFor(to),
    values.flatMap((value) => openFor(value, { caseId: to.theCase.id, partyId: to.partyId })),
  );

/** What it holds, at its way out to this person; throws where it was made for another. */
export function openFor<Content>(value: ForParty<Content>, to: Partial<MadeFor>): Content {
  const own = madeForOf(value);
  const isForAnother =
    (to.caseId !== undefined && to.caseId !== own.caseId) ||
    (to.partyId !== undefined && to.partyId !== own.partyId) ||
    (to.clientId !== undefined && to.clientId !== own.clientId);
  if (isForAnother) throw leak("this person");
  return contentOf(value);
}

/** For whom it was made. */
export const madeForOf = (value: ForParty<unknown>): MadeFor => sealOf(value).madeFor;

const contentOf = <Content>(value: ForParty<Content>): Content => sealOf(value).content;

/** What somebody forged past the compiler is caught when it is opened. */
function sealOf<Content>(value: ForParty<Content>) {
  if (!isForParty(value)) throw leak("this person");
  return value[SEALED];
}

const isForParty = (value: unknown): value is ForParty<unknown> =>
  typeof value === "object" && value !== null && Object.hasOwn(value, SEALED);

/** What a procedure answers that shows what one party gets: it cannot answer with anything that was not made for one. */
export const outputForParty = <Schema extends z.ZodType>(schema: Schema) =>
  z.custom<ForParty<z.input<Schema>>>(isForParty).transform((value) => schema.parse(contentOf(value)));
