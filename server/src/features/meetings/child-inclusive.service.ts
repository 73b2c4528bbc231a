// Meetings with children: none without every parent's and the child's consent and a mediator who is registered for it.
import mongoose from "mongoose";
import type { Case } from "@app/shared/cases";
import { missingForChildren } from "@app/shared/child-inclusive";
import { cutText } from "@app/shared/cut-text";
import { dayIn } from "@app/shared/days";
import { HOLDING_STATUSES } from "@app/shared/meeting-states";
import { TASK_TITLE_MAX_LENGTH } from "@app/shared/tasks";
import { CHILDREN_READERS } from "@app/shared/visibility";
import { now } from "../../core/clock.ts";
import { badField, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { takeTurnOf } from "../../core/turns.ts";
import { defineCaseFollower } from "../cases/case-changes.service.ts";
import type { CaseDoc } from "../cases/case-parties.service.ts";
import { getCase } from "../cases/cases.service.ts";
import { clientNames } from "../clients/clients.service.ts";
import { practiceDates, practiceToday } from "../practices/practices.service.ts";
import { createMissingTasks } from "../tasks/tasks.service.ts";
import { colleagues } from "../users/users.service.ts";
import { mayRead, staffReader } from "../visibility/visibility.service.ts";
import { type MeetingDoc, MeetingModel } from "./meetings.model.ts";

type Planned = Pick<MeetingDoc, "type" | "caseId" | "mediatorIds">;

/** A consent that is withdrawn at the moment in which a meeting is booked is either seen by it, or sees the meeting. */
const takeTurn = ({ ownerId }: Scope, caseId: string) => takeTurnOf(ownerId, `child-inclusive:${caseId}`);

/**
 * In the transaction that books: PRECONDITION_FAILED names each consent that is missing, and BAD_REQUEST says that no
 * mediator of the meeting has the child-inclusive registration.
 */
export async function assertChildInclusive(scope: Scope, { type, caseId, mediatorIds }: Planned): Promise<void> {
  if (type !== "cim") return;
  if (!caseId) throw badField("caseId", "Choose the case that the child belongs to.");
  await takeTurn(scope, caseId);
  await assertConsents(scope, caseId);
  const registered = (await colleagues(scope.ownerId)).filter((person) => person.isActive && person.isChildInclusive);
  if (!registered.some(({ userId }) => mediatorIds.includes(userId)))
    throw badField(
      "mediatorIds",
      "Choose a mediator whose child-inclusive registration the owner of the practice has confirmed.",
    );
}

export async function assertConsents(scope: Scope, caseId: string): Promise<void> {
  const missing = missingForChildren(await getCase(scope, caseId), await practiceToday(scope.ownerId));
  if (missing.length > 0)
    throw wrongState(`No child can be heard yet: ${missing.join("; ")}. Put that right in the case first.`);
}

// However a case changes, also by somebody who comes into it or back: where a consent is missing that was not before,
// somebody is asked to look at each meeting with a child that is still to come.
defineCaseFollower(async (scope, before, after) => {
  if (![before, after].some(({ children }) => children.some(({ cim }) => cim.isOffered))) return;
  const names = await clientNames(scope, [...before.clientIds, ...after.clientIds]);
  const today = await practiceToday(scope.ownerId);
  const missingIn = (theCase: CaseDoc) => missingForChildren(named(theCase, names), today);
  const known = missingIn(before);
  const first = missingIn(after).find((what) => !known.includes(what));
  if (first) await askWhereMissing(scope, after._id, first);
});

const named = ({ domain, parties, children }: CaseDoc, names: ReadonlyMap<string, string>) => ({
  domain,
  children,
  parties: parties.map(({ partyId, status, clientId, label }) => ({
    partyId,
    status,
    name: names.get(clientId) ?? label,
  })),
});

async function askWhereMissing(scope: Scope, caseId: string, missing: string): Promise<void> {
  const { ownerId } = scope;
  await takeTurn(scope, caseId);
  const coming = await MeetingModel.find({
    ownerId,
    caseId,
    type: "cim",
    status: mongoose.trusted({ $in: HOLDING_STATUSES }),
    startsAt: mongoose.trusted({ $gt: now() }),
  }).lean();
  if (coming.length === 0) return;
  const { longDay } = await practiceDates(ownerId);
  const working = (await colleagues(ownerId)).filter(({ isActive }) => isActive).map(({ userId }) => userId);
  await createMissingTasks(
    scope,
    coming.map(({ startsAt, timeZone, mediatorIds, createdBy }) => ({
      title: cutText(
        `Do not hold the meeting with a child on ${longDay(startsAt)} as it stands: ${missing}`,
        TASK_TITLE_MAX_LENGTH,
      ),
      dueOn: dayIn(timeZone, startsAt),
      // Whoever left the practice does not keep others from changing the case.
      assigneeId: [...mediatorIds, createdBy].find((id) => working.includes(id)) ?? ownerId,
      caseId,
      clientId: null,
    })),
  );
}

/** Whether this person may read what was noted at the meeting: with a child, only the mediators of the case. */
export const mayReadNote = (
  scope: Scope,
  { type, mediatorIds }: Pick<MeetingDoc, "type" | "mediatorIds">,
  theCase: Pick<Case, "mediators"> | null,
): boolean =>
  type !== "cim" ||
  (theCase ? mayRead(staffReader(scope, theCase), CHILDREN_READERS) : mediatorIds.includes(scope.userId));

/** The note as it is to be stored: whoever may not read it keeps it as it is. */
export function noteKept(
  scope: Scope,
  { before, next, theCase }: { before: MeetingDoc; next: Pick<MeetingDoc, "type" | "note">; theCase: Case | null },
): string {
  if (before.type !== "cim" || before.note === "") return next.note;
  const isKept = !mayReadNote(scope, before, theCase);
  if (isKept && next.note !== "")
    throw badField("note", "Only the mediators of the case write in the note of a meeting with a child.");
  const note = isKept ? before.note : next.note;
  if (next.type !== "cim" && note !== "")
    throw badField("type", "The note of a meeting with a child is for its mediators alone. Empty it first.");
  return note;
}
