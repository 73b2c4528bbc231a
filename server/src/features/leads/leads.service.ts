import mongoose, { type QueryFilter } from "mongoose";
import type { z } from "zod";
import {
  type CreateLead,
  type Lead,
  LEAD_AGES,
  type leadPageSchema,
  type listLeadsSchema,
  NO_ATTRIBUTION,
  type updateLeadSchema,
} from "@app/shared/leads";
import { COUNT_MAX } from "@app/shared/pagination";
import { PAGE_SIZE } from "@app/shared/product";
import { DAY_MS, now } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { notFound, stale } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { matchingWithin } from "../../core/word-search.ts";
import { assertNobodysMailbox } from "../users/email-connection.service.ts";
import { forgetMail } from "../outbox/forgotten-mail.service.ts";
import { endTasksWith, forgetTasksWith } from "../tasks/follow-up-tasks.service.ts";
import { captureLead } from "./lead-capture.service.ts";
import { eraseWithLead } from "./lead-erasures.service.ts";
import { checkConflicts, termsOf } from "./lead-conflicts.ts";
import { enquiryOf, ROW_FIELDS, toLead, toRows } from "./lead-mapping.ts";
import { type LeadDoc, LeadModel, NO_SPAM, sortDueOf, storedFields } from "./leads.model.ts";

type ListInput = z.output<typeof listLeadsSchema>;
type Filter = QueryFilter<LeadDoc>;

export function leadFilter({ ownerId }: Scope, input: Omit<ListInput, "page" | "sort" | "isDescending">): Filter {
  const { state, source, channel, age } = input;
  return {
    ownerId,
    ...ofState(state),
    ...(source ? { source } : {}),
    ...(channel ? { channel } : {}),
    ...(age ? { createdAt: mongoose.trusted({ $gte: new Date(now().getTime() - LEAD_AGES[age] * DAY_MS) }) } : {}),
    ...matchingWithin(input.search),
  };
}

function ofState(state: ListInput["state"]): Filter {
  if (state === "spam") return { isSpam: true };
  if (state === "all") return NO_SPAM;
  return { ...NO_SPAM, ...(state === undefined ? { isOpen: true } : { status: state }) };
}

const SORT_FIELDS = { due: "sortDue", name: "sortName", createdAt: "createdAt" } as const;

/** What is overdue comes first, by default; ties are broken by id, so that no row moves between pages. */
export function leadSort({ sort, isDescending }: Pick<ListInput, "sort" | "isDescending">) {
  const direction = isDescending ? -1 : 1;
  return { [SORT_FIELDS[sort]]: direction, _id: direction } as const;
}

export async function listLeads(scope: Scope, input: ListInput): Promise<z.infer<typeof leadPageSchema>> {
  const filter = leadFilter(scope, input);
  const [docs, total] = await Promise.all([
    LeadModel.find(filter, ROW_FIELDS)
      .sort(leadSort(input))
      .skip((input.page - 1) * PAGE_SIZE)
      .limit(PAGE_SIZE)
      .lean(),
    LeadModel.countDocuments(filter).limit(COUNT_MAX + 1),
  ]);
  return { items: await toRows(scope, docs), total: Math.min(total, COUNT_MAX), isTotalExact: total <= COUNT_MAX };
}

/** How many nobody has answered yet. */
export const countNewLeads = ({ ownerId }: Scope): Promise<number> =>
  LeadModel.countDocuments({ ownerId, status: "new", ...NO_SPAM })
    .limit(COUNT_MAX)
    .exec();

export async function requireLead({ ownerId }: Scope, id: string): Promise<LeadDoc> {
  const doc = await LeadModel.findOne({ ownerId, _id: id }).lean();
  if (!doc) throw notFound("Lead");
  return doc;
}

export const getLead = async (scope: Scope, id: string): Promise<Lead> => toLead(scope, await requireLead(scope, id));

/** Entered by hand: whoever enters it sees at once whom the practice knows already. Call it in a transaction. */
export async function createLead(scope: Scope, { channel, lead }: CreateLead): Promise<Lead> {
  await assertNobodysMailbox(scope.ownerId, [lead.email]);
  const captured = { channel, lead, attribution: NO_ATTRIBUTION, consent: "", flags: [], answers: null };
  const { id } = await captureLead(scope.ownerId, captured, scope.userName);
  return getLead(scope, id);
}

/** Saves where the version is still the one on the screen; whoever is named anew is looked for anew. */
export async function updateLead(
  scope: Scope,
  { id, version, lead }: z.output<typeof updateLeadSchema>,
): Promise<Lead> {
  const before = await requireLead(scope, id);
  const isOther = JSON.stringify(termsOf(enquiryOf(before))) !== JSON.stringify(termsOf(lead));
  const fields = storedFields(before, lead);
  const change = {
    $set: {
      ...fields,
      sortDue: sortDueOf({ ...before, nextOn: lead.nextOn }),
      updatedByName: scope.userName,
      ...(isOther ? { conflict: null } : {}),
    },
    $inc: { version: 1, ...(isOther ? { termsStep: 1 } : {}) },
  };
  const after = await inTransaction(async () => {
    // Whatever a stranger wrote came in as it was, and may stay.
    if (lead.email !== before.email) await assertNobodysMailbox(scope.ownerId, [lead.email]);
    const onScreen = { ownerId: scope.ownerId, _id: id, version };
    return LeadModel.findOneAndUpdate(onScreen, change, { returnDocument: "after", lean: true });
  });
  if (!after) throw stale("lead");
  if (isOther) await checkConflicts(scope.ownerId, id);
  return getLead(scope, id);
}

/** Whoever looked at the hits says so; what they decide is said where a case is opened, or a lead is lost. */
export async function lookAtConflict(scope: Scope, { id, version }: { id: string; version: number }): Promise<Lead> {
  const doc = await LeadModel.findOneAndUpdate(
    { ownerId: scope.ownerId, _id: id, version, conflict: mongoose.trusted({ $ne: null }) },
    {
      $set: { "conflict.lookedAt": now(), "conflict.lookedByName": scope.userName, updatedByName: scope.userName },
      $inc: { version: 1 },
    },
    { returnDocument: "after", lean: true },
  );
  if (doc) return toLead(scope, doc);
  await requireLead(scope, id);
  throw stale("lead");
}

/** Deletes a lead with all that is kept of it: the task to answer it, the mails that went to it, what it was made of. */
export async function eraseLead(scope: Scope, id: string): Promise<{ id: string }> {
  const { ownerId } = scope;
  await inTransaction(async () => {
    const doc = await LeadModel.findOneAndDelete({ ownerId, _id: id }).lean();
    if (!doc) throw notFound("Lead");
    await forgetTasksWith(scope, taskOf(id));
    const mailIds = [doc.replyMailId ?? [], (doc.letters ?? []).map(({ mailId }) => mailId)].flat();
    for (const mailId of mailIds) await forgetMail(ownerId, mailId);
    await eraseWithLead(ownerId, id);
  });
  return { id };
}

/** By which the task to answer a lead is found again. */
export const taskOf = (id: string): string => `lead:${id}`;

/** Nobody has to answer it any more, or somebody did. */
export const endAnswerTask = (scope: Scope, id: string): Promise<void> => endTasksWith(scope, taskOf(id));
