// Meetings of the invented practice: some weeks of a small one, ten years of a large one.
import { mayMediate } from "@app/shared/team-access";
import { type CaseStatus, type PartyStatus } from "@app/shared/case-states";
import type { Case, Party } from "@app/shared/cases";
import { addDays } from "@app/shared/days";
import { MEETING_TYPES, type MeetingStatus, type MeetingType } from "@app/shared/meeting-states";
import { instantOf } from "@app/shared/wall-time";
import type { Scope } from "@app/server/core/trpc";
import { type ImportedMeeting, importMeetings } from "@app/server/features/meetings/booking.service";
import { unheardAmong } from "@app/server/features/meetings/child-inclusive.service";
import { unsafeAmong } from "@app/server/features/meetings/import-safety.service";
import { colleagues } from "@app/server/features/users/users.service";

const BATCH = 1000;
const HOUR_MS = 3_600_000;
const TIMES = ["09:00", "10:30", "13:15", "14:30", "16:00"];
const PLACES = ["Room 1", "Room 2", "Rooms 1 + 2", "", ""];
/** How many cases meet in the same months; the meetings of one case lie near each other. */
const CASES_AT_ONCE = 160;
/** How many of them lie in the past. */
const PAST_PART = 0.55;

const at = <Item>(list: readonly Item[], index: number): Item => {
  const item = list[index % list.length];
  if (item === undefined) throw new Error("an empty list has no item");
  return item;
};

const OVER: readonly CaseStatus[] = ["concluded", "closed", "not_proceeding", "terminated"];

/** Spreads so many meetings over the working days around today, with the parties of those of these cases that go on. */
export async function demoMeetings(
  scope: Scope,
  all: readonly Case[],
  { meetings: howMany, perDay, worked }: { meetings: number; perDay: number; worked: number },
): Promise<void> {
  const cases = all.filter(({ status }) => !OVER.includes(status));
  const people = await colleagues(scope.ownerId);
  const mediators = people.filter(({ role }) => mayMediate(role)).map(({ userId }) => userId);
  const today = new Date().toISOString().slice(0, 10);
  const weekdays = Math.ceil(howMany / perDay);
  const screened = new Set(all.slice(0, worked).map(({ id }) => id));
  let batch: ImportedMeeting[] = [];
  for (let index = 0; index < howMany; index += 1) {
    const offset = Math.floor((index / howMany - PAST_PART) * weekdays * 1.4);
    const begun = Math.floor((index / howMany) * Math.max(0, cases.length - CASES_AT_ONCE));
    const current = cases.slice(begun, begun + CASES_AT_ONCE);
    batch.push(
      demoMeeting(index, { day: workingDayNear(addDays(today, offset), today), today, cases: current, mediators }),
    );
    if (batch.length === BATCH) {
      await store(scope, batch, screened);
      batch = [];
    }
  }
  await store(scope, batch, screened);
}

/**
 * Where parties have not been screened, or may not meet as it stands here, one of them comes alone; where a child may not
 * be heard, the parties meet.
 */
async function store(scope: Scope, planned: ImportedMeeting[], screened: ReadonlySet<string>): Promise<void> {
  const unheard = await unheardAmong(scope, planned);
  const meetings = planned.map((one) => (unheard.has(one) ? { ...one, type: "mediation" as const } : one));
  const apart = meetings.map((meeting) => (screened.has(meeting.caseId ?? "") ? meeting : alone(meeting)));
  const unsafe = await unsafeAmong(scope, apart);
  if (apart.length > 0)
    await importMeetings(
      scope,
      apart.map((meeting) => (unsafe.has(meeting) ? alone(meeting) : meeting)),
    );
}

function alone(meeting: ImportedMeeting): ImportedMeeting {
  const { endsAt, partyIds, clientIds } = meeting;
  if (endsAt < new Date() || partyIds.length < 2) return meeting;
  return {
    ...meeting,
    type: "pre_meeting",
    partyIds: partyIds.slice(0, 1),
    clientIds: clientIds.slice(0, 1),
  };
}

/** Whoever looks at the demonstration on a weekend sees a day at work all the same. */
function workingDayNear(day: string, today: string): string {
  if (day === today) return day;
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  if (weekday === 0) return addDays(day, 1);
  return weekday === 6 ? addDays(day, -1) : day;
}

interface Place {
  day: string;
  today: string;
  cases: readonly Case[];
  mediators: readonly string[];
}

function demoMeeting(index: number, { day, today, cases, mediators }: Place): ImportedMeeting {
  const planned: MeetingType = at(MEETING_TYPES, index % 3 === 0 ? 0 : index);
  const mediated = JOINT_TYPES.includes(planned) ? cases.filter(({ status }) => status === "in_mediation") : [];
  const theCase = at(mediated.length > 0 && index % 4 === 0 ? mediated : cases, index * 7);
  const { type, parties } = fitting(theCase, { planned, index, isOver: day < today });
  const startsAt = instantOf("Europe/London", { day, time: at(TIMES, Math.floor(index / mediators.length)) });
  const isAway = type === "supervision";
  return {
    type,
    title: isAway ? "Supervision" : "",
    startsAt,
    endsAt: new Date(startsAt.getTime() + (type === "mediation" ? 1.5 : 1) * HOUR_MS),
    status: statusOf(index, day, today),
    mediatorIds: [at(mediators, index)],
    location: { kind: index % 4 === 3 ? "video" : "in_person", place: at(PLACES, index) },
    caseId: isAway ? null : theCase.id,
    partyIds: isAway ? [] : parties.map(({ partyId }) => partyId),
    clientIds: isAway ? [] : parties.map(({ clientId }) => clientId),
  };
}

const JOINT_TYPES: readonly MeetingType[] = ["mediation", "shuttle", "cim"];
/** Who has not come to a first meeting yet, and may. */
const BEFORE_FIRST: readonly PartyStatus[] = ["responded", "intake_done", "miam_booked", "miam_missed"];
/** With whom the practice has not spoken, or speaks no more. */
const UNHEARD: readonly PartyStatus[] = ["to_invite", "invited", "no_response", "refused", "withdrawn"];

interface Planned {
  planned: MeetingType;
  index: number;
  isOver: boolean;
}

/** What this case may have in its place, and who comes: nobody mediates, or comes to a first meeting, against its records. */
function fitting(
  { status, parties }: Case,
  { planned, index, isOver }: Planned,
): { type: MeetingType; parties: Party[] } {
  if (planned === "supervision") return { type: planned, parties: [] };
  const known = parties.filter((party) => !UNHEARD.includes(party.status));
  const one = known.length > 0 ? [at(known, index)] : parties.slice(0, 1);
  const awaited = parties.filter((party) => BEFORE_FIRST.includes(party.status));
  if (planned === "miam" && !isOver && awaited.length > 0) return { type: planned, parties: [at(awaited, index)] };
  if (JOINT_TYPES.includes(planned))
    return status === "in_mediation" ? { type: planned, parties } : { type: "pre_meeting", parties: one };
  return { type: planned === "miam" ? "call" : planned, parties: one };
}

function statusOf(index: number, day: string, today: string): MeetingStatus {
  if (day < today) return index % 11 === 5 ? "no_show" : "completed";
  if (index % 9 === 4) return "proposed";
  return index % 3 === 0 ? "confirmed" : "booked";
}
