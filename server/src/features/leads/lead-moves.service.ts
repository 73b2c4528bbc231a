// The steps of a lead: each is one of the table of transitions, and anything else is refused with what comes next.
import type { z } from "zod";
import {
  isOpenLead,
  LEAD_REOPEN_MONTHS,
  LEAD_STATUS_NAMES,
  type LeadStatus,
  nextStatesOf,
  stepBetween,
} from "@app/shared/lead-states";
import { addMonths, dayIn } from "@app/shared/days";
import type { Lead, loseLeadSchema, moveLeadSchema } from "@app/shared/leads";
import { now } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { stale, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { practiceTimeZone } from "../practices/practices.service.ts";
import { answeredAt } from "./first-answers.ts";
import { toLead } from "./lead-mapping.ts";
import { endAnswerTask, requireLead } from "./leads.service.ts";
import { type LeadDoc, LeadModel, sealLostNote, sortDueOf } from "./leads.model.ts";

/** More steps than that are no history that anybody reads. */
const STEPS_MAX = 200;

interface Step {
  to: LeadStatus;
  /** What is stored besides. */
  set?: Partial<LeadDoc>;
}

/** Throws PRECONDITION_FAILED with the states that come next where this one does not. */
export function assertStep({ status }: Pick<LeadDoc, "status">, to: LeadStatus): void {
  if (stepBetween(status, to) !== null) return;
  throw wrongState(
    `A lead that is “${LEAD_STATUS_NAMES[status]}” cannot become “${LEAD_STATUS_NAMES[to]}”. Next comes ${nextStatesOf(status)}.`,
  );
}

/** Takes a step in the transaction of what it stands for; what was done to an older version is refused. */
export async function takeStep(scope: Scope, before: LeadDoc, { to, set = {} }: Step): Promise<LeadDoc> {
  assertStep(before, to);
  const at = now();
  const changed = { ...before, ...set, status: to };
  const after = await LeadModel.findOneAndUpdate(
    { ownerId: scope.ownerId, _id: before._id, version: before.version },
    {
      $set: {
        ...set,
        status: to,
        statusSince: at,
        isOpen: isOpenLead(to),
        sortDue: sortDueOf(changed),
        updatedByName: scope.userName,
      },
      $push: { steps: { $each: [{ to, at, byName: scope.userName }], $slice: -STEPS_MAX } },
      $inc: { version: 1 },
    },
    { returnDocument: "after", lean: true },
  );
  if (!after) throw stale("lead");
  if (after.firstRespondedAt !== null || !after.isOpen) await endAnswerTask(scope, after._id);
  return after;
}

interface Versioned {
  id: string;
  version: number;
}

/** Reads a lead as it stood on the screen, and changes it in one transaction. */
export const stepping = (
  scope: Scope,
  { id, version }: Versioned,
  step: (doc: LeadDoc) => Promise<LeadDoc>,
): Promise<LeadDoc> =>
  inTransaction(async () => {
    const doc = await requireLead(scope, id);
    if (doc.version !== version) throw stale("lead");
    if (doc.isSpam) throw wrongState("Say first that this is no spam.");
    return step(doc);
  });

export async function moveLead(scope: Scope, { to, ...of }: z.output<typeof moveLeadSchema>): Promise<Lead> {
  const moved = await stepping(scope, of, (doc) => takeStep(scope, doc, { to }));
  return toLead(scope, moved);
}

/** Somebody of the practice spoke with them: that is a first answer, as a letter is that was sent. */
export async function noteCall(scope: Scope, of: Versioned): Promise<Lead> {
  const noted = await stepping(scope, of, async (doc) => {
    if (doc.firstRespondedAt !== null) throw wrongState("It is recorded already when they were first answered.");
    if (!doc.isOpen) throw wrongState("This lead is closed. Reopen it first.");
    const answered = answeredAt(doc, now());
    if (doc.status === "new") return takeStep(scope, doc, { to: "contacted", set: answered });
    const after = await LeadModel.findOneAndUpdate(
      { ownerId: scope.ownerId, _id: doc._id, version: doc.version },
      {
        $set: { ...answered, sortDue: sortDueOf({ ...doc, ...answered }), updatedByName: scope.userName },
        $inc: { version: 1 },
      },
      { returnDocument: "after", lean: true },
    );
    if (!after) throw stale("lead");
    await endAnswerTask(scope, doc._id);
    return after;
  });
  return toLead(scope, noted);
}

export async function loseLead(scope: Scope, { reason, note, ...of }: z.output<typeof loseLeadSchema>): Promise<Lead> {
  const lost = await stepping(scope, of, (doc) =>
    takeStep(scope, doc, { to: "lost", set: { lostReason: reason, lostNoteEnc: sealLostNote(doc, note) } }),
  );
  return toLead(scope, lost);
}

/** Takes up a lead that was lost, as long as such are kept open for that. */
export async function reopenLead(scope: Scope, of: Versioned): Promise<Lead> {
  const timeZone = await practiceTimeZone(scope.ownerId);
  const reopened = await stepping(scope, of, async (doc) => {
    assertStep(doc, "new");
    const until = addMonths(dayIn(timeZone, doc.statusSince), LEAD_REOPEN_MONTHS);
    if (dayIn(timeZone, now()) > until)
      throw wrongState(`This lead was lost over ${LEAD_REOPEN_MONTHS} months ago. Add a new lead instead.`);
    return takeStep(scope, doc, { to: "new", set: { lostReason: null, lostNoteEnc: "" } });
  });
  return toLead(scope, reopened);
}
