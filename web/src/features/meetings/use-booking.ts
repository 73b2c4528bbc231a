import type { Case } from "@app/shared/cases";
import { usualMeetingType } from "@app/shared/meeting-states";
import type { CreateMeeting, Meeting } from "@app/shared/meetings";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { codeOf } from "../../core/errors.ts";
import { useServerForm } from "../../core/form.tsx";
import { notify } from "../../core/notify.ts";
import { useCurrentUser } from "../../core/session.ts";
import { checkWhen, instantsOf, type When, whenOf } from "./when-fields.tsx";

const HOUR_MS = 3_600_000;

interface Values extends Pick<
  CreateMeeting,
  "type" | "title" | "note" | "partyIds" | "isInvitationSent" | "allowsOverlap"
> {
  when: When;
  /** Empty where it belongs to no case. */
  caseId: string;
  mediatorId: string;
  kind: CreateMeeting["location"]["kind"];
  place: string;
  /** Weeks between one and the next; "0" where it does not repeat. */
  everyWeeks: string;
  times: number;
  /** The minutes that the later named parties arrive before the first. */
  apartMinutes: number;
  isProposed: boolean;
}

export interface BookingPlace {
  startsAt: string;
  /** The case that it is booked from; chosen in the dialog where it is left out. */
  theCase?: Case | null;
  /** The parties who come, where it is booked from one of them. */
  partyIds?: readonly string[];
}

/** The form of a new meeting: what it begins with, and how it is sent. */
export function useBooking(
  { startsAt, theCase = null, partyIds = [] }: BookingPlace,
  onBooked: (meeting: Meeting) => void,
) {
  const { timeZone, userId, mediatorType } = useCurrentUser();
  const utils = api.useUtils();
  const create = api.meetings.create.useMutation();
  const [isTaken, setIsTaken] = useState(false);
  const endsAt = new Date(Date.parse(startsAt) + HOUR_MS).toISOString();
  const type = usualMeetingType(theCase?.domain ?? mediatorType, partyIds.length);
  const form = useServerForm<Values>({
    initialValues: {
      when: whenOf(timeZone, startsAt, endsAt),
      type,
      caseId: theCase?.id ?? "",
      partyIds: [...partyIds],
      mediatorId: theCase?.mediators[0]?.userId ?? userId,
      title: "",
      kind: "in_person",
      place: "",
      note: "",
      everyWeeks: "0",
      times: 4,
      apartMinutes: 0,
      isProposed: false,
      isInvitationSent: true,
      allowsOverlap: false,
    },
    validate: ({ when }) => checkWhen(when),
    submit: async (values, id) => {
      try {
        const meeting = await create.mutateAsync({ id, ...inputOf(values, timeZone) });
        await Promise.all([utils.meetings.invalidate(), utils.timeline.invalidate(), utils.dashboard.invalidate()]);
        notify("The meeting is booked");
        onBooked(meeting);
      } catch (error) {
        setIsTaken(codeOf(error) === "CONFLICT");
        throw error;
      }
    },
  });
  return { form, isTaken };
}
export type BookingForm = ReturnType<typeof useBooking>["form"];

function inputOf(
  { when, caseId, kind, place, everyWeeks, times, apartMinutes, isProposed, mediatorId, ...values }: Values,
  timeZone: string,
): CreateMeeting {
  const weeks = Number(everyWeeks);
  const [, ...later] = values.partyIds;
  return {
    ...values,
    ...instantsOf(timeZone, when),
    caseId: caseId || null,
    clientId: null,
    mediatorIds: [mediatorId],
    location: { kind, place },
    status: isProposed ? "proposed" : "booked",
    arrivals: apartMinutes > 0 ? later.map((partyId) => ({ partyId, minutesBefore: apartMinutes })) : [],
    repeat: weeks > 0 ? { everyWeeks: weeks, times } : null,
  };
}
