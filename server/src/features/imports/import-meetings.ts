import { MEETING_STATUS_NAMES, MEETING_STATUSES, MEETING_TYPE_NAMES, MEETING_TYPES } from "@app/shared/meeting-states";
import { type CreateMeeting, createMeetingSchema, MEETING_MEDIATORS_MAX } from "@app/shared/meetings";
import { cutText } from "@app/shared/cut-text";
import { foldText } from "@app/shared/text";
import { PARTIES_MAX } from "@app/shared/visibility";
import { instantOf, instantsOf, type WallTime, wallTimeOf } from "@app/shared/wall-time";
import { MINUTE_MS, now } from "../../core/clock.ts";
import type { Dates } from "../../core/dates.ts";
import type { Scope } from "../../core/trpc.ts";
import { casesCalled } from "../cases/cases-import.service.ts";
import { type ImportedMeeting, importMeetings } from "../meetings/booking.service.ts";
import { CHILD_HAS_TO_WAIT, unheardAmong } from "../meetings/child-inclusive.service.ts";
import { IMPORT_HAS_TO_WAIT, unsafeAmong } from "../meetings/import-safety.service.ts";
import { meetingsAt } from "../meetings/meetings-import.service.ts";
import { practiceDates, practiceTimeZone } from "../practices/practices.service.ts";
import { dayOf, partsOf, timeOf } from "../../core/cell-values.ts";
import { type Candidate, importerOf, type Resolved, type RowKey } from "./importer.ts";
import { callsIn, clientFinder, colleagueFinder } from "./person-columns.ts";
import { type CellProblem, named, plainly, type RowReader } from "./row-reader.ts";

const TYPES = named(MEETING_TYPES, MEETING_TYPE_NAMES);
const STATUSES = named(MEETING_STATUSES, MEETING_STATUS_NAMES);
const PLACES = plainly(["in_person", "video", "phone"] as const);
const SHOWN_MAX_LENGTH = 60;
const UNSAID = { minutes: 60, end: null };
/** Stands for people until they are looked up. */
const NOT_KNOWN_YET = "unknown";

interface Draft {
  meeting: Pick<CreateMeeting, "type" | "title" | "location">;
  start: WallTime;
  /** The field that the time of the start stands in. */
  startField: string;
  minutes: number;
  /** Null where the length says when it ends. */
  end: WallTime | null;
  /** Empty where the day decides: what is past was held. */
  status: ImportedMeeting["status"] | "";
  caseRef: string;
  clients: string[];
  mediators: string[];
}

export const meetingImporter = importerOf<Draft, ImportedMeeting>({
  read: readMeeting,
  keysOf: meetingKeys,
  resolve: compareMeetings,
  store: importMeetings,
});

/** A day and a time out of one cell, or out of one cell each. */
function momentOf(reader: RowReader, field: string): { day: string | null; time: string } | null {
  const text = reader.text(field);
  const time = timeOf(text);
  if (time !== null) return { day: null, time };
  const [, first = "", second = ""] = /^(.*?[^T ,])[T ,]+(\d{1,2}[:.]\d{2}.*)$/i.exec(text) ?? [];
  const day = dayOf(first, reader.dateOrder);
  const ownTime = timeOf(second.replace(/(:\d{2})(?::\d{2}(?:\.\d+)?)?Z?$/, "$1"));
  return day !== null && ownTime !== null ? { day, time: ownTime } : null;
}

function startOf(reader: RowReader): WallTime | null {
  const cell = reader.text("starts");
  const moment = cell ? momentOf(reader, "starts") : momentOf(reader, "day");
  if (!moment) {
    reader.report(
      cell ? "starts" : "day",
      cell ? "Write the time as 09:30." : "Write the day and the time, such as 12/04/2026 and 09:30.",
    );
    return null;
  }
  const day = moment.day ?? reader.day("day");
  if (!day && reader.problems.length === 0) reader.report("day", "Write the day, such as 12/04/2026.");
  return day ? { day, time: moment.time } : null;
}

function lengthOf(reader: RowReader, start: WallTime): Pick<Draft, "minutes" | "end"> {
  const length = reader.text("minutes");
  if (length) {
    if (/^\d{1,4}$/.test(length)) return { minutes: Number(length), end: null };
    reader.report("minutes", "Write the length in minutes, such as 90.");
    return UNSAID;
  }
  if (!reader.text("ends")) return UNSAID;
  const moment = momentOf(reader, "ends");
  if (!moment) {
    reader.report("ends", "Write the time as 10:30.");
    return UNSAID;
  }
  const end = { day: moment.day ?? start.day, time: moment.time };
  const milliseconds = Date.parse(`${end.day}T${end.time}Z`) - Date.parse(`${start.day}T${start.time}Z`);
  return { minutes: milliseconds / MINUTE_MS, end };
}

function readMeeting(reader: RowReader): Draft | null {
  const start = startOf(reader);
  const calls = partsOf(reader.text("mediators"));
  const mediators = callsIn(reader, "mediators", { calls, max: MEETING_MEDIATORS_MAX, what: "mediators" });
  const clientCalls = partsOf(reader.text("client"), /[;\n]/);
  const clients = callsIn(reader, "client", { calls: clientCalls, max: PARTIES_MAX, what: "clients" });
  if (!start) return null;
  const length = lengthOf(reader, start);
  const status = reader.text("status") ? reader.choice("status", STATUSES, "booked") : "";
  const meeting = reader.parse(createMeetingSchema, asTyped(reader, start, length.minutes), ([field]) =>
    fieldOf(reader, field),
  );
  if (!meeting) return null;
  const { type, title, location } = meeting;
  const caseRef = reader.text("caseRef");
  const startField = reader.text("starts") ? "starts" : "day";
  return { meeting: { type, title, location }, start, startField, ...length, status, clients, mediators, caseRef };
}

/** The meeting as the form would send it, with people who are looked up later. */
function asTyped(reader: RowReader, start: WallTime, minutes: number): CreateMeeting {
  const begins = new Date(`${start.day}T${start.time}Z`);
  return {
    type: reader.choice("type", TYPES, "other"),
    title: reader.text("title"),
    location: { kind: reader.choice("locationKind", PLACES, "in_person"), place: reader.text("place") },
    startsAt: begins.toISOString(),
    endsAt: new Date(begins.getTime() + minutes * MINUTE_MS).toISOString(),
    mediatorIds: [NOT_KNOWN_YET],
    partyIds: [],
    arrivals: [],
    childIds: [],
    arrangements: [],
    againstMeasures: "",
    rooms: [],
    others: [],
    note: "",
    caseId: null,
    clientId: null,
    status: "booked",
    repeat: null,
    allowsOverlap: true,
    allowsCrowding: true,
    isInvitationSent: false,
  };
}

function fieldOf(reader: RowReader, field: PropertyKey | undefined): string {
  if (field === "location") return "place";
  if (field === "startsAt") return "day";
  if (field === "endsAt") return reader.text("minutes") ? "minutes" : "ends";
  return String(field);
}

function meetingKeys({ start, meeting, caseRef, clients, mediators }: Draft): RowKey[] {
  const people = [...clients, ...mediators].map(foldText).toSorted();
  const key = [start.day, start.time, meeting.type, caseRef, ...people].join("|");
  return [{ key, field: "starts", what: "the same time, type and people" }];
}

const keyOf = ({
  startsAt,
  type,
  caseId,
  clientIds,
}: Pick<ImportedMeeting, "startsAt" | "type" | "caseId" | "clientIds">) =>
  [startsAt.toISOString(), type, caseId, ...clientIds.toSorted()].join("|");

async function compareMeetings(scope: Scope, candidates: Candidate<Draft>[]): Promise<Resolved<ImportedMeeting>[]> {
  const drafts = candidates.map(({ draft }) => draft);
  const finders: Finders = {
    timeZone: await practiceTimeZone(scope.ownerId),
    dates: await practiceDates(scope.ownerId),
    userId: scope.userId,
    client: await clientFinder(
      scope,
      drafts.flatMap(({ clients }) => clients),
    ),
    colleague: await colleagueFinder(scope),
    cases: await casesCalled(scope, [...new Set(drafts.map(({ caseRef }) => caseRef).filter(Boolean))]),
  };
  const found = drafts.map((draft) => meetingOf(draft, finders));
  const inputs = found.flatMap((one) => ("input" in one ? [one.input] : []));
  const starts = inputs.map(({ startsAt }) => startsAt);
  const taken = new Set((await meetingsAt(scope, starts)).map(keyOf));
  const unsafe = await unsafeAmong(scope, inputs);
  const unheard = await unheardAmong(scope, inputs);
  return found.map((one): Resolved<ImportedMeeting> => {
    if ("problem" in one) return { kind: "bad", problem: one.problem };
    const { input, note } = one;
    if (unsafe.has(input)) {
      const field = input.caseId === null ? "client" : "caseRef";
      return { kind: "bad", problem: { field, message: IMPORT_HAS_TO_WAIT } };
    }
    if (unheard.has(input)) return { kind: "bad", problem: { field: "type", message: CHILD_HAS_TO_WAIT } };
    if (!taken.has(keyOf(input))) return { kind: "ready", input, ...(note ? { note } : {}) };
    const message = "The calendar has a meeting of this type at this time with the same people.";
    return { kind: "duplicate", input, problem: { field: "starts", message } };
  });
}

interface Finders extends Clock {
  userId: string;
  client: Awaited<ReturnType<typeof clientFinder>>;
  colleague: Awaited<ReturnType<typeof colleagueFinder>>;
  cases: Awaited<ReturnType<typeof casesCalled>>;
}

interface Clock {
  timeZone: string;
  dates: Dates;
}

type Outcome<Value> = { input: Value; note?: CellProblem | undefined } | { problem: CellProblem };

function meetingOf(draft: Draft, finders: Finders): Outcome<ImportedMeeting> {
  const clientIds = idsOf("client", draft.clients, finders.client);
  if ("problem" in clientIds) return clientIds;
  const mediatorIds = idsOf("mediators", draft.mediators, finders.colleague);
  if ("problem" in mediatorIds) return mediatorIds;
  const people = partiesOf(draft, clientIds.input, finders);
  if ("problem" in people) return people;
  const when = whenOf(draft, finders);
  if ("problem" in when) return when;
  const isPast = when.input.startsAt < now();
  return {
    input: {
      ...draft.meeting,
      ...people.input,
      ...when.input,
      status: draft.status || (isPast ? "completed" : "booked"),
      mediatorIds: mediatorIds.input.length > 0 ? mediatorIds.input : [finders.userId],
    },
    note: when.note,
  };
}

function whenOf(
  { start, startField, minutes, end }: Draft,
  clock: Clock,
): Outcome<Pick<ImportedMeeting, "startsAt" | "endsAt">> {
  const begins = momentAt(clock, start, startField);
  if ("problem" in begins) return begins;
  const startsAt = begins.input;
  if (!end)
    return { input: { startsAt, endsAt: new Date(startsAt.getTime() + minutes * MINUTE_MS) }, note: begins.note };
  const ends = momentAt(clock, end, "ends");
  if ("problem" in ends) return ends;
  return { input: { startsAt, endsAt: ends.input }, note: begins.note ?? ends.note };
}

/** When the clock shows this. Whoever wrote a time that it leaves out meant another, which nobody here knows. */
function momentAt({ timeZone, dates }: Clock, wall: WallTime, field: string): Outcome<Date> {
  const [first, second] = instantsOf(timeZone, wall);
  const { time } = wall;
  const day = dates.calendarDay(wall.day);
  if (!first) {
    const next = wallTimeOf(timeZone, instantOf(timeZone, wall)).time;
    const message = `There is no ${time} on ${day} in ${timeZone}: the clocks go forward. Write the time that was meant, such as ${next}.`;
    return { problem: { field, message } };
  }
  if (!second) return { input: first };
  const message = `${time} comes twice on ${day} in ${timeZone}, because the clocks go back. The first is taken. Move the meeting if it was the second.`;
  return { input: first, note: { field, message } };
}

function idsOf(field: string, calls: string[], find: Finders["client"]): Outcome<string[]> {
  const ids: string[] = [];
  for (const call of calls) {
    const found = find(call);
    if ("problem" in found) return { problem: { field, message: found.problem } };
    ids.push(found.id);
  }
  return { input: [...new Set(ids)] };
}

type People = Pick<ImportedMeeting, "caseId" | "partyIds" | "clientIds">;

/** Of a case those who are named, or everybody where nobody is. */
function partiesOf({ caseRef, meeting }: Draft, clientIds: string[], { cases }: Finders): Outcome<People> {
  if (!caseRef) return { input: { caseId: null, partyIds: [], clientIds } };
  const theCase = cases.find((one) => one.caseRef === caseRef);
  if (!theCase)
    return {
      problem: {
        field: "caseRef",
        message: `There is no case ${cutText(caseRef, SHOWN_MAX_LENGTH)}. Import the cases first, or correct the reference.`,
      },
    };
  if (clientIds.some((id) => !theCase.parties.some(({ clientId }) => clientId === id)))
    return {
      problem: { field: "client", message: `Somebody here is no party of case ${caseRef}. Name its parties only.` },
    };
  const coming = theCase.parties.filter(({ clientId }) => clientIds.length === 0 || clientIds.includes(clientId));
  if (meeting.type === "miam" && coming.length > 1)
    return {
      problem: { field: "client", message: "An assessment meeting is held with each party apart. Name one of them." },
    };
  return {
    input: {
      caseId: theCase._id,
      partyIds: coming.map(({ partyId }) => partyId),
      clientIds: coming.map(({ clientId }) => clientId),
    },
  };
}
