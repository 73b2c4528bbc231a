// What follows from an enquiry that nobody entered by hand: after it was stored and answered, so that whoever sent it
// learns nothing from how long it took.
import { cutText } from "@app/shared/cut-text";
import { dayIn } from "@app/shared/days";
import { leadName } from "@app/shared/leads";
import { TASK_TITLE_MAX_LENGTH } from "@app/shared/tasks";
import mongoose from "mongoose";
import { now, SECOND_MS } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { defineDueItems } from "../../core/due-items.ts";
import { systemScope } from "../../core/system-scope.ts";
import { practiceTimeZone } from "../practices/practices.service.ts";
import { createTasks } from "../tasks/tasks.service.ts";
import { findConflicts } from "./lead-conflicts.ts";
import { tellOfForm } from "./lead-notices.ts";
import { queueReply, replyTo } from "./lead-reply.service.ts";
import { taskOf } from "./leads.service.ts";
import { type LeadDoc, LeadModel } from "./leads.model.ts";

const due = { settledAt: null };

/** Looks through the records, answers where the practice wants that, and tells the owner: once, in whichever process. */
export const settleLeads = defineDueItems<LeadDoc>({
  name: "settle new leads",
  everyMs: 5 * SECOND_MS,
  owners: () => LeadModel.distinct("ownerId", due).setOptions({ anyOwner: true }),
  next: (ownerId, besides, max) =>
    LeadModel.find({ ...due, ownerId, _id: mongoose.trusted({ $nin: besides }) })
      .sort({ createdAt: 1 })
      .limit(max)
      .lean<LeadDoc[]>(),
  work: settle,
  tell: (lead) => askToAnswer(lead),
});

async function settle(lead: LeadDoc): Promise<void> {
  const { _id, ownerId, termsStep } = lead;
  const conflict = await findConflicts(lead);
  await inTransaction(async () => {
    const { modifiedCount } = await LeadModel.updateOne({ ownerId, _id, ...due }, { $set: { settledAt: now() } });
    if (modifiedCount === 0) return;
    await LeadModel.updateOne({ ownerId, _id, termsStep }, { $set: { conflict } });
    if (lead.isSpam) return;
    if (lead.firstRespondedAt === null && lead.isOpen) await askToAnswer(lead);
    await tellOfForm(lead);
    // By whoever claimed it: another process would use up the one answer of the hour, and send none.
    const reply = await replyTo(lead);
    if (!reply) return;
    const { id: replyMailId } = await queueReply(lead, reply);
    await LeadModel.updateOne({ ownerId, _id }, { $set: { replyMailId } });
  });
}

/** The owner's alone, as leads are; it ends with the first answer. */
export async function askToAnswer(lead: LeadDoc): Promise<void> {
  const { ownerId, _id, responseDueAt } = lead;
  const task = {
    title: cutText(`Answer the enquiry of ${leadName(lead)}`, TASK_TITLE_MAX_LENGTH),
    dueOn: dayIn(await practiceTimeZone(ownerId), responseDueAt),
    assigneeId: ownerId,
    caseId: null,
    clientId: null,
  };
  await createTasks(systemScope(ownerId), [{ ...task, isPersonal: true, endsWith: taskOf(_id) }]);
}
