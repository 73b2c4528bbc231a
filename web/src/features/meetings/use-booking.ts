import { can } from "@app/shared/access";
import { awaitedIn } from "@app/shared/case-sessions";
import type { Case, Party } from "@app/shared/cases";
import { ARRANGEMENTS, ARRIVALS_APART_MINUTES, unkeptMeasures } from "@app/shared/meeting-safety";
import { takesParties, usualMeetingType } from "@app/shared/meeting-states";
import type { CreateMeeting, Meeting } from "@app/shared/meetings";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { isMediatorTaken } from "./is-mediator-taken.ts";
import { checkOthers, type OtherChoice, othersOf } from "./other-choices.ts";
import { checkRooms, type RoomChoice, roomsOf } from "./room-choices.ts";
import { useServerForm } from "../../core/form.tsx";
import { notify } from "../../core/notify.ts";
import { useCurrentUser } from "../../core/session.ts";
import { checkWhen, instantsOf, type When, whenOf } from "../../ui/when-fields.tsx";

const HOUR_MS = 3_600_000;

interface Values extends Pick<
  CreateMeeting,
  | "title"
  | "note"
  | "partyIds"
  | "childIds"
  | "isInvitationSent"
  | "allowsOverlap"
  | "allowsCrowding"
  | "againstMeasures"
> {
  /** Null until somebody chooses: then it is as the measures of those who come ask. */
  chosen: { [Key in keyof Suggested]: Suggested[Key] | null };
  when: When;
  /** Empty where it belongs to no case. */
  caseId: string;
  mediatorId: string;
  place: string;
  rooms: RoomChoice[];
  others: OtherChoice[];
  /** Weeks between one and the next; "0" where it does not repeat. */
  everyWeeks: string;
  times: number;
  isProposed: boolean;
}

interface Suggested {
  type: CreateMeeting["type"];
  kind: CreateMeeting["location"]["kind"];
  /** The minutes that each later named party arrives before the one named before. */
  apartMinutes: number;
  arrangements: CreateMeeting["arrangements"];
}

export interface BookingPlace {
  startsAt: string;
  /** The case that it is booked from; chosen in the dialog where it is left out. */
  theCase?: Case | null;
  /** The parties who come, where it is booked from one of them. */
  partyIds?: readonly string[];
}

/** Where they are to mediate, all of them; else those from whom it is booked. */
function namedAtFirst({ theCase, partyIds = [] }: BookingPlace): readonly Party[] {
  if (!theCase) return [];
  if (MEDIATING.includes(theCase.status)) return awaitedIn(theCase, null);
  return theCase.parties.filter(({ partyId }) => partyIds.includes(partyId));
}
const MEDIATING: readonly Case["status"][] = ["ready", "in_mediation"];

function beginningOf(
  { startsAt, theCase = null }: BookingPlace,
  partyIds: readonly string[],
  { timeZone, userId }: Pick<ReturnType<typeof useCurrentUser>, "timeZone" | "userId">,
): Values {
  const endsAt = new Date(Date.parse(startsAt) + HOUR_MS).toISOString();
  return {
    when: whenOf(timeZone, startsAt, endsAt),
    chosen: { type: null, kind: null, apartMinutes: null, arrangements: null },
    caseId: theCase?.id ?? "",
    partyIds: [...partyIds],
    childIds: [],
    mediatorId: theCase?.mediators[0]?.userId ?? userId,
    title: "",
    place: "",
    note: "",
    rooms: [],
    others: [],
    everyWeeks: "0",
    times: 4,
    isProposed: false,
    isInvitationSent: true,
    allowsOverlap: false,
    allowsCrowding: false,
    againstMeasures: "",
  };
}

/** The form of a new meeting: what it begins with, and how it is sent. */
export function useBooking(place: BookingPlace, onBooked: (meeting: Meeting) => void) {
  const { theCase } = place;
  const user = useCurrentUser();
  const { timeZone, mediatorType } = user;
  const utils = api.useUtils();
  const create = api.meetings.create.useMutation();
  const [isTaken, setIsTaken] = useState(false);
  const named = namedAtFirst(place);
  const type = usualMeetingType(theCase?.domain ?? mediatorType, named);
  const form = useServerForm<Values>({
    initialValues: beginningOf(
      place,
      named.map(({ partyId }) => partyId),
      user,
    ),
    validate: (values) => ({
      ...checkWhen(values.when),
      ...(planOf(values).kind === "in_person" ? checkRooms(values.rooms, values.partyIds) : {}),
      ...checkOthers(values.others, values.partyIds),
    }),
    submit: async (values, id) => {
      try {
        const meeting = await create.mutateAsync({ id, ...inputOf(values, planOf(values), timeZone) });
        await Promise.all([utils.meetings.invalidate(), utils.timeline.invalidate(), utils.dashboard.invalidate()]);
        notify("The meeting is booked");
        onBooked(meeting);
      } catch (error) {
        setIsTaken(isMediatorTaken(error));
        throw error;
      }
    },
  });
  const { caseId } = form.values;
  const isAsked = caseId !== "" && can(user, "screening.read");
  const measured = api.screenings.measures.useQuery({ caseId }, { enabled: isAsked });
  const measuresOf = (coming: readonly string[]) => [
    ...new Set(
      (measured.data?.items ?? []).flatMap(({ partyId, measures }) => (coming.includes(partyId) ? measures : [])),
    ),
  ];
  /** Nobody has to be kept from others who comes alone. */
  const jointMeasures = (coming: readonly string[]) => (coming.length > 1 ? measuresOf(coming) : []);
  /** What was chosen, and for the rest what the measures of those who come ask. */
  function planOf({ chosen, partyIds }: Values): Suggested {
    const planned = chosen.type ?? (jointMeasures(partyIds).includes("shuttle") ? "shuttle" : type);
    const measures = jointMeasures(comingTo(planned, partyIds));
    return {
      type: planned,
      kind: chosen.kind ?? (measures.includes("online_only") ? "video" : "in_person"),
      apartMinutes: chosen.apartMinutes ?? (measures.includes("separate_arrivals") ? ARRIVALS_APART_MINUTES : 0),
      arrangements: chosen.arrangements ?? ARRANGEMENTS.filter((each) => measures.includes(each)),
    };
  }
  const plan = planOf(form.values);
  const coming = comingTo(plan.type, form.values.partyIds);
  const measures = jointMeasures(coming);
  const choose = <Key extends keyof Suggested>(key: Key, value: Suggested[Key]) =>
    form.setFieldValue("chosen", { ...form.values.chosen, [key]: value });
  const unkept = unkeptMeasures(measures, inputOf(form.values, plan, timeZone));
  const elsewhere = (measured.data?.elsewhere ?? []).filter(({ partyId }) => coming.includes(partyId));
  return { form, isTaken, plan, choose, coming, measures, unkept, elsewhere };
}
export type Booking = ReturnType<typeof useBooking>;

function inputOf(
  {
    when,
    caseId,
    place,
    partyIds: chosenIds,
    childIds,
    rooms,
    others,
    everyWeeks,
    times,
    isProposed,
    mediatorId,
    chosen: _chosen,
    ...values
  }: Values,
  { type, kind, apartMinutes, arrangements }: Suggested,
  timeZone: string,
): CreateMeeting {
  const weeks = Number(everyWeeks);
  const partyIds = comingTo(type, chosenIds);
  const [, ...later] = partyIds;
  return {
    ...values,
    type,
    partyIds,
    childIds: type === "cim" ? childIds : [],
    arrangements,
    ...instantsOf(timeZone, when),
    caseId: caseId || null,
    clientId: null,
    mediatorIds: [mediatorId],
    location: { kind, place },
    rooms: kind === "in_person" ? roomsOf(rooms, partyIds) : [],
    others: othersOf(others),
    status: isProposed ? "proposed" : "booked",
    arrivals: apartMinutes > 0 ? later.map(arrivalOf(apartMinutes)) : [],
    repeat: weeks > 0 ? { everyWeeks: weeks, times } : null,
  };
}

export const comingTo = (type: CreateMeeting["type"], partyIds: string[]): string[] =>
  takesParties(type) ? partyIds : [];

const EARLIEST_MINUTES = 120;
const arrivalOf = (apartMinutes: number) => (partyId: string, index: number) => ({
  partyId,
  minutesBefore: Math.min(apartMinutes * (index + 1), EARLIEST_MINUTES),
});
