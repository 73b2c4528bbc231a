import type { Case } from "@app/shared/cases";
import type { Client } from "@app/shared/clients";
import type { MergeValues } from "@app/shared/merge-fields";
import { now } from "../../core/clock.ts";
import type { ComingMeeting } from "../meetings/meeting-invitations.service.ts";
import { openFor } from "../visibility/for-party.service.ts";

interface Subject {
  client: Client;
  theCase: Case | null;
  practiceName: string;
  timeZone: string;
  senderName: string;
  meetings: ComingMeeting[];
}

/** What each merge field stands for in a mail to this client: of them, and of nobody else. */
export function valuesOf(
  { client, theCase, practiceName, timeZone, senderName, meetings }: Subject,
  mediatorName: string,
): MergeValues {
  const day = { timeZone, weekday: "long", day: "numeric", month: "long" } as const;
  const clock = { timeZone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
  const text = (at: Date, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat("en-GB", options).format(at);
  const next = meetings[0] && openFor(meetings[0].own, { clientId: client.id });
  return {
    "client.firstName": client.knownAs || client.firstName || client.organisation,
    "client.lastName": client.lastName || client.organisation,
    "client.fullName": client.displayName,
    "client.salutation": salutationOf(client),
    "practice.name": practiceName,
    "mediator.name": mediatorName,
    "sender.name": senderName,
    today: text(now(), { ...day, year: "numeric" }),
    ...(theCase ? { "case.reference": theCase.caseRef } : {}),
    ...(next
      ? {
          "meeting.date": text(next.startsAt, day),
          "meeting.time": text(next.startsAt, clock),
          "meeting.place": next.location,
        }
      : {}),
  };
}

function salutationOf({ title, firstName, knownAs, lastName, organisation }: Client): string {
  if (title && lastName) return `Dear ${title} ${lastName}`;
  return `Dear ${knownAs || firstName || organisation}`;
}
