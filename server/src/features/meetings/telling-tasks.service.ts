// Somebody of the practice tells a person of a meeting, where a mail would not be safe or right.
import { cutText } from "@app/shared/cut-text";
import type { Case, Party } from "@app/shared/cases";
import { dayIn } from "@app/shared/days";
import { TASK_TITLE_MAX_LENGTH } from "@app/shared/tasks";
import type { Scope } from "../../core/trpc.ts";
import { practiceDates } from "../practices/practices.service.ts";
import { callOff } from "../tasks/asked-tasks.service.ts";
import { createTasks } from "../tasks/tasks.service.ts";
import { aboutTelling, tellingsOf } from "./heard.ts";
import { chainOf } from "./meeting-chains.ts";
import type { MeetingDoc } from "./meetings.model.ts";
import type { NoticePurpose } from "./notice-words.ts";

interface Concerned {
  meeting: MeetingDoc;
  party: Party;
  theCase: Case;
}

interface Asked extends Concerned {
  purpose: NoticePurpose;
  startsAt: Date;
  whyNot: string;
}

const WHAT = {
  invitation: "of the appointment",
  cancellation: "that the appointment is cancelled",
  reminder: "again of the appointment",
} as const satisfies Record<NoticePurpose, string>;

/** Because a mail would not be safe or right, or there is no address. */
export async function askToTell(
  scope: Scope,
  { meeting, theCase, party, startsAt, purpose, whyNot }: Asked,
): Promise<void> {
  const { longDay, time } = await practiceDates(scope.ownerId);
  await createTasks(scope, [
    {
      title: cutText(
        `Tell ${party.label} ${WHAT[purpose]} on ${longDay(startsAt)} at ${time(startsAt)}: ${whyNot}`,
        TASK_TITLE_MAX_LENGTH,
      ),
      dueOn: dayIn(meeting.timeZone, startsAt),
      assigneeId: meeting.createdBy,
      caseId: theCase.id,
      clientId: party.clientId,
      about: purpose === "cancellation" ? null : aboutTelling(meeting._id, party.partyId),
    },
  ]);
}

/** Whoever is still to tell this party of the meeting is not to any more. */
export async function leaveUntold(
  { ownerId }: Scope,
  { meeting, party: { partyId }, theCase }: Concerned,
): Promise<void> {
  const chain = await chainOf(ownerId, meeting._id, partyId);
  await callOff(tellingsOf(chain, { ownerId, partyId, caseId: theCase.id }));
}
