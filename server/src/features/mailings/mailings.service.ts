import mongoose, { type QueryFilter } from "mongoose";
import type { z } from "zod";
import { can } from "@app/shared/access";
import {
  type createMailingSchema,
  type itemPageSchema,
  type listItemsSchema,
  type Mailing,
  type MailingRow,
  type MailingCounts,
  type MailingItem,
  type mailingPageSchema,
} from "@app/shared/mailings";
import { type ItemState, MAILING_STATES, type MailingState, mayMailingBecome } from "@app/shared/mailing-states";
import { MAILING_FIELDS, mailingTextOf } from "@app/shared/mailing-fields";
import { PAGE_SIZE } from "@app/shared/product";
import { isEmptyRichText, plainText, richTextSchema } from "@app/shared/rich-text";
import { backInTurn, outOfTurn } from "../../core/call-turns.ts";
import { callerGone } from "../../core/caller.ts";
import { now } from "../../core/clock.ts";
import { decrypt, encrypt } from "../../core/crypto.ts";
import { inTransaction } from "../../core/database.ts";
import { askedTooMuch, badField, busy, forbidden, notFound, wrongState } from "../../core/errors.ts";
import { fairTurns, inTurn, ofPerson } from "../../core/fair-turns.ts";
import { newId } from "../../core/ids.ts";
import type { Keep } from "../../core/once.ts";
import { defineSealedField } from "../../core/sealed-fields.ts";
import type { Scope } from "../../core/trpc.ts";
import { visibleClientIds } from "../clients/clients.service.ts";
import { COUNTED_ANEW, withCounts } from "./mailing-counts.ts";
import { fillMailing } from "./mailing-filling.ts";
import { TRIED_ANEW } from "./mailing-outset.ts";
import { recipientsOf } from "./mailing-recipients.ts";
import { assertMaySend } from "./mailing-sender.ts";
import { shownAs, shownReason, storedAs } from "./mailing-shown.ts";
import { OF_THE_LIST, WITHHELD } from "./recipients.ts";
import { type MailingDoc, type MailingItemDoc, MailingItemModel, MailingModel } from "./mailings.model.ts";

export const bodyPlace = (ownerId: string, id: string) => `mailings:${ownerId}:${id}`;
defineSealedField({ collection: "mailings", path: "bodyEnc", placeOf: (doc) => bodyPlace(doc.ownerId, doc._id) });
export const bodyOf = ({ _id, ownerId, bodyEnc }: Pick<MailingDoc, "_id" | "ownerId" | "bodyEnc">) =>
  richTextSchema.parse(JSON.parse(decrypt(bodyEnc, bodyPlace(ownerId, _id))));

/** Long lists take much memory while they are stored, and some while they wait: one at a time of each person, and few wait. */
const takeFilling = fairTurns({
  atOnce: 2,
  ofOne: 1,
  waiting: { inAll: 40, ofGroup: 24, ofOne: 12 },
  refuse: (isOfAll) => (isOfAll ? busy() : askedTooMuch()),
});

/** Stores a mailing with everybody who was chosen; nothing is sent before it is started. `keep` notes that it is made. */
export async function createMailing(
  scope: Scope,
  input: z.output<typeof createMailingSchema>,
  keep: Keep,
): Promise<Mailing> {
  const { ownerId } = scope;
  if (isEmptyRichText(input.body)) throw badField("body", "Write a text.");
  assertFieldsKnown(input);
  if (input.source.kind !== "csv" && !can(scope, "clients.read"))
    throw forbidden("You may not see clients, so you cannot choose them. Send to a list of addresses instead.");
  const id = newId();
  const mailing = {
    _id: id,
    ownerId,
    subject: input.subject,
    bodyEnc: encrypt(JSON.stringify(input.body), bodyPlace(ownerId, id)),
    perMinute: input.perMinute,
    state: "ready" as const,
    reason: "",
    dueAt: now(),
    createdBy: scope.userId,
    createdByName: scope.userName,
    createdAt: now(),
  };
  const inMyTurn = backInTurn();
  const fill = async () => fillMailing(mailing, await recipientsOf(scope, input.source), () => keep(id));
  await outOfTurn(() => inTurn(takeFilling, ofPerson(scope), () => inMyTurn(fill), callerGone()));
  return getMailing(scope, id);
}

function assertFieldsKnown({ subject, body }: z.output<typeof createMailingSchema>): void {
  const unknown = { subject: mailingTextOf(subject).unknown, body: mailingTextOf(plainText(body)).unknown };
  for (const [field, [path]] of Object.entries(unknown))
    if (path !== undefined)
      throw badField(field, `A mailing has no {{${path}}}. Choose one of: ${MAILING_FIELDS.join(", ")}.`);
}

const toMailing = (doc: CountedMailing): Mailing => ({ ...toRow(doc), body: bodyOf(doc) });

type CountedMailing = MailingDoc & { counts: MailingCounts };

function toRow(doc: CountedMailing): MailingRow {
  return {
    id: doc._id,
    subject: doc.subject,
    perMinute: doc.perMinute,
    state: doc.state,
    reason: doc.reason,
    counts: doc.counts,
    createdByName: doc.createdByName,
    createdAt: doc.createdAt.toISOString(),
    endedAt: doc.endedAt?.toISOString() ?? null,
  };
}

/** What colleagues wrote is mail of the practice: it needs the right to read that, and to see more than assigned clients. */
const visibleTo = (scope: Scope) => ({
  ownerId: scope.ownerId,
  isFilling: null,
  ...(scope.isAssignedOnly || !can(scope, "mail.read") ? { createdBy: scope.userId } : {}),
});

async function requireMailing(scope: Scope, id: string): Promise<MailingDoc> {
  const doc = await MailingModel.findOne({ ...visibleTo(scope), _id: id }).lean();
  if (!doc) throw notFound("Mailing");
  return doc;
}

export async function getMailing(scope: Scope, id: string): Promise<Mailing> {
  const [mailing] = await withCounts([await requireMailing(scope, id)]);
  if (!mailing) throw notFound("Mailing");
  return toMailing(mailing);
}

/** The mailings of the practice, the newest first. */
export async function listMailings(
  scope: Scope,
  { page }: { page: number },
): Promise<z.infer<typeof mailingPageSchema>> {
  const filter = visibleTo(scope);
  const [docs, total] = await Promise.all([
    MailingModel.find(filter)
      .sort({ createdAt: -1, _id: -1 })
      .skip((page - 1) * PAGE_SIZE)
      .limit(PAGE_SIZE)
      .lean(),
    MailingModel.countDocuments(filter),
  ]);
  return { items: (await withCounts(docs)).map(toRow), total, isTotalExact: true };
}

const toItem =
  (scope: Scope, mailing: MailingDoc) =>
  (item: MailingItemDoc): MailingItem => {
    const { _id, address, name, clientId, state, sentAt, saidToBounce } = item;
    const reason = shownReason(mailing, item);
    return {
      id: _id,
      address,
      name,
      clientId,
      state: shownAs(mailing, state),
      reason: state === "skipped" && clientId === null ? reasonFor(scope, reason) : reason,
      saidToBounce: saidToBounce?.reason ?? "",
      sentAt: sentAt?.toISOString() ?? null,
    };
  };

/** An address of a list may be a client's whom this person does not see: why it got nothing would tell of them. */
const reasonFor = ({ isAssignedOnly }: Scope, reason: string): string =>
  !isAssignedOnly || reason === "" || Object.values(OF_THE_LIST).includes(reason) ? reason : WITHHELD;

/** The items of a mailing whose clients this person sees now, whoever was written to; addresses from a list are of nobody. */
export async function itemsSeenBy(scope: Scope, mailingId: string): Promise<QueryFilter<MailingItemDoc>> {
  const of = { ownerId: scope.ownerId, mailingId };
  if (!scope.isAssignedOnly) return of;
  return { ...of, clientId: mongoose.trusted({ $in: [null, ...(await visibleClientIds(scope))] }) };
}

/** What became of the recipients of a mailing. */
export async function listItems(
  scope: Scope,
  { mailingId, state, page }: z.output<typeof listItemsSchema>,
): Promise<z.infer<typeof itemPageSchema>> {
  const mailing = await requireMailing(scope, mailingId);
  const filter = { ...(await itemsSeenBy(scope, mailingId)), ...(state ? stateIn(mailing, [state]) : {}) };
  const [docs, total] = await Promise.all([
    MailingItemModel.find(filter)
      .sort({ _id: 1 })
      .skip((page - 1) * PAGE_SIZE)
      .limit(PAGE_SIZE)
      .lean(),
    MailingItemModel.countDocuments(filter),
  ]);
  return { items: docs.map(toItem(scope, mailing)), total, isTotalExact: true };
}

const stateIn = (mailing: MailingDoc, shown: readonly ItemState[]) => ({
  state: mongoose.trusted({ $in: storedAs(mailing, shown) }),
});

/** Everybody who did not get it, one after the other. */
export async function* failuresOf(scope: Scope, mailingId: string): AsyncGenerator<MailingItem> {
  const mailing = await requireMailing(scope, mailingId);
  const docs = MailingItemModel.find({
    ...(await itemsSeenBy(scope, mailingId)),
    ...stateIn(mailing, ["failed", "skipped", "uncertain"]),
  })
    .sort({ _id: 1 })
    .lean()
    .cursor();
  for await (const doc of docs) yield toItem(scope, mailing)(doc);
}

type Outset = Pick<MailingDoc, "isRetrying" | "untoldAfter">;

async function move(scope: Scope, id: string, to: MailingState, outset: Outset = {}): Promise<void> {
  const from = MAILING_STATES.filter((state) => mayMailingBecome[state].includes(to));
  const { matchedCount } = await MailingModel.updateOne(
    { ownerId: scope.ownerId, _id: id, state: mongoose.trusted({ $in: from }) },
    {
      $set: {
        ...COUNTED_ANEW.$set,
        ...outset,
        state: to,
        reason: "",
        dueAt: now(),
        endedAt: to === "cancelled" ? now() : null,
        ...(to === "sending" ? { startedBy: scope.userId } : {}),
      },
      $inc: { ...COUNTED_ANEW.$inc, round: 1 },
    },
  );
  if (matchedCount > 0) return;
  const { state } = await requireMailing(scope, id);
  const next = mayMailingBecome[state].join(", ") || "nothing";
  throw wrongState(`This mailing is ${state}; from there it can become: ${next}.`);
}

/** Begins to send, goes on after a pause, or tries those again that failed. */
export async function startMailing(scope: Scope, id: string): Promise<Mailing> {
  const mailing = await requireMailing(scope, id);
  await assertMaySend(scope, mailing);
  const { ownerId } = scope;
  const isRetrying = mailing.state === "done";
  if (isRetrying && !(await MailingItemModel.exists({ ownerId, mailingId: id, state: "failed" })))
    throw wrongState("There is nobody left to send this to again.");
  await inTransaction(() =>
    move(scope, id, "sending", {
      ...(isRetrying ? { isRetrying } : {}),
      ...(mailing.state === "ready" ? { untoldAfter: "" } : {}),
    }),
  );
  return getMailing(scope, id);
}

export async function pauseMailing(scope: Scope, id: string): Promise<Mailing> {
  await requireMailing(scope, id);
  await move(scope, id, "paused");
  return getMailing(scope, id);
}

/** Stops a mailing for good; what was sent is sent, and whoever waits is told that it never came to them. */
export async function cancelMailing(scope: Scope, id: string): Promise<Mailing> {
  await requireMailing(scope, id);
  await move(scope, id, "cancelled", { untoldAfter: null });
  return getMailing(scope, id);
}

/** Sends a mail again of which nobody can tell whether it arrived, or that failed; only on request. */
export async function resendItem(scope: Scope, { mailingId, id }: { mailingId: string; id: string }): Promise<Mailing> {
  const { ownerId } = scope;
  const mailing = await requireMailing(scope, mailingId);
  await assertMaySend(scope, mailing);
  await inTransaction(async () => {
    const { matchedCount } = await MailingItemModel.updateOne(
      { ...(await itemsSeenBy(scope, mailingId)), _id: id, state: mongoose.trusted({ $in: ["uncertain", "failed"] }) },
      TRIED_ANEW(),
    );
    if (matchedCount === 0) throw wrongState("Only a mail that failed or may not have arrived can be sent again.");
    const open = mongoose.trusted({ $ne: "cancelled" as const });
    const { matchedCount: isOpen } = await MailingModel.updateOne(
      { ownerId, _id: mailingId, state: open },
      COUNTED_ANEW,
    );
    if (isOpen === 0) throw wrongState("This mailing was cancelled. To write to this person again, make a new one.");
    await MailingModel.updateOne(
      { ownerId, _id: mailingId, state: "done" },
      { $set: { state: "sending", startedBy: scope.userId, dueAt: now(), endedAt: null }, $inc: { round: 1 } },
    );
  });
  return getMailing(scope, mailingId);
}
