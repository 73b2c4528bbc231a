// Whether somebody looked at how a client may be reached, after the client said that a way of it is not safe.
import type { z } from "zod";
import type { Permission } from "@app/shared/access";
import type { Client, confirmContactSchema } from "@app/shared/clients";
import { inTransaction } from "../../core/database.ts";
import { forbidden, stale, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { assertMayConfirm, CHECKED, knowsWhy } from "./client-keepers.service.ts";
import { recordLines } from "./client-history.ts";
import { ClientModel, toClient } from "./clients.model.ts";
import { getClient, visibleTo } from "./clients.service.ts";
import { tellContactFollowers } from "./contact-followers.service.ts";

interface Why {
  /** What somebody has to have who looks. */
  needs?: Permission;
  /** The answers that say so, where nothing else does. */
  answers?: readonly string[];
}

/**
 * From now on nothing goes to them until somebody has looked; call it in a transaction. Whoever has their record open
 * sees that it changed.
 */
export async function askToCheckContact(scope: Scope, clientId: string, { needs, answers = [] }: Why): Promise<void> {
  const held = await heldBy(scope, clientId);
  const isOfAnswers = answers.length > 0 && (!held || held.length > 0);
  const contactHeldBy = isOfAnswers ? [...new Set([...(held ?? []), ...answers])] : [];
  await ClientModel.updateOne(
    { ownerId: scope.ownerId, _id: clientId },
    { $set: { isContactUnchecked: true, contactHeldBy, ...(needs && { contactNeeds: needs }) }, $inc: { version: 1 } },
  );
  await tellContactFollowers(scope, { clientId, isUnchecked: true });
}

/** Null where nobody has to look. */
async function heldBy({ ownerId }: Scope, clientId: string): Promise<string[] | null> {
  const client = await ClientModel.findOne(
    { ownerId, _id: clientId },
    { isContactUnchecked: 1, contactHeldBy: 1 },
  ).lean();
  return client?.isContactUnchecked ? (client.contactHeldBy ?? []) : null;
}

/**
 * Call it in the transaction by which these answers are this client's no more. Where they alone were why somebody had to
 * look, nobody has to now; gives whether that is so.
 */
export async function withdrawContactDoubt(scope: Scope, clientId: string, answersId: string): Promise<boolean> {
  const held = await heldBy(scope, clientId);
  if (!held?.includes(answersId)) return false;
  const contactHeldBy = held.filter((id) => id !== answersId);
  const isOver = contactHeldBy.length === 0;
  await ClientModel.updateOne(
    { ownerId: scope.ownerId, _id: clientId },
    { $set: isOver ? CHECKED : { contactHeldBy }, $inc: { version: 1 } },
  );
  if (isOver) await tellContactFollowers(scope, { clientId, isUnchecked: false });
  return isOver;
}

const UNDECIDED =
  "They answered in a form that a way to reach them is not safe, and nobody has decided on that yet. Somebody who may read the answer opens the form on this client’s page and decides first.";

const TOLD_IN_SCREENING =
  "Only somebody who may read safety screenings says that these ways are safe. Ask the owner of the practice or a mediator.";

/** Whoever follows knows that it is not so. */
const isHeld = async ({ ownerId }: Scope, id: string): Promise<boolean> =>
  (await ClientModel.exists({ ownerId, _id: id, isContactUnchecked: true })) !== null;

/** Somebody looked at what stands there, and it is right. */
export async function confirmContact(
  scope: Scope,
  { id, version }: z.output<typeof confirmContactSchema>,
): Promise<Client> {
  const confirmed = await inTransaction(async () => {
    const onScreen = { ...visibleTo(scope), _id: id, version };
    const before = await ClientModel.findOne(onScreen).lean();
    if (!before) return null;
    assertMayConfirm(scope, before);
    if (!knowsWhy(scope, before)) throw forbidden(TOLD_IN_SCREENING);
    const after = await ClientModel.findOneAndUpdate(
      onScreen,
      { $set: CHECKED, $inc: { version: 1 } },
      { returnDocument: "after", lean: true },
    );
    await recordLines(scope, [id], "How they may be reached was looked at, and is right");
    await tellContactFollowers(scope, { clientId: id, isUnchecked: false });
    if (await isHeld(scope, id)) throw wrongState(UNDECIDED);
    return after;
  });
  if (confirmed) return toClient(confirmed);
  await getClient(scope, id);
  throw stale("client");
}
