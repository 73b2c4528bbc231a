// Somebody of the practice tells a person of a meeting, where a mail would not be safe or right.
import { cutText } from "@app/shared/cut-text";
import type { Case, Party } from "@app/shared/cases";
import { dayIn } from "@app/shared/days";
import { TASK_TITLE_MAX_LENGTH } from "@app/shared/tasks";
import type { Scope } from "../../core/trpc.ts";
import { toldOfMeetings } from "../outbox/notices.service.ts";
import { practiceDates } from "../practices/practices.service.ts";
import { callOff, wasDone } from "../tasks/asked-tasks.service.ts";
import { createTasks } from "../tasks/tasks.service.ts";
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
      about: purpose === "cancellation" ? null : aboutOf(meeting._id, party.partyId),
    },
  ]);
}

/** Whether this party heard of the meeting: by what left, or from whoever was asked to tell them and did. */
export async function hasHeard({ ownerId }: Scope, { meeting, party, theCase }: Concerned): Promise<boolean> {
  const { partyId, clientId } = party;
  const chain = await chainOf(ownerId, meeting._id, partyId);
  const left = await toldOfMeetings(ownerId, { caseId: theCase.id, clientIds: [clientId] });
  if (left.some((told) => chain.some(({ _id }) => _id === told.meeting.id))) return true;
  return wasDone(await askedOf(ownerId, { meeting, party, theCase }));
}

/** Whoever is still to tell this party of the meeting is not to any more. */
export const leaveUntold = async ({ ownerId }: Scope, concerned: Concerned): Promise<void> =>
  callOff(await askedOf(ownerId, concerned));

const aboutOf = (meetingId: string, partyId: string): string => `tell ${partyId} of ${meetingId}`;

/** The tasks to tell this party of the meeting, wherever it was moved from and to. */
async function askedOf(ownerId: string, { meeting, party: { partyId }, theCase }: Concerned) {
  const chain = await chainOf(ownerId, meeting._id, partyId);
  return { ownerId, caseId: theCase.id, abouts: chain.map(({ _id }) => aboutOf(_id, partyId)) };
}
