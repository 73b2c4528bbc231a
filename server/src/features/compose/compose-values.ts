import type { Client } from "@app/shared/clients";
import type { MergeValues } from "@app/shared/merge-fields";
import { cleanName } from "@app/shared/names";
import { now } from "../../core/clock.ts";
import { openFor } from "../visibility/for-party.service.ts";
import type { Sayable } from "./compose-context.ts";

type Subject = Omit<Sayable, "theCase" | "party" | "values">;

/** What each merge field stands for in a mail to this client: of them, and of nobody else. */
export function valuesOf(
  { client, practiceName, dates, senderName, meetings }: Subject,
  { mediatorName, ofCase }: { mediatorName: string; ofCase: MergeValues },
): MergeValues {
  const next = meetings[0] && openFor(meetings[0].own, { clientId: client.id });
  return {
    "client.firstName": callNameOf(client),
    "client.lastName": client.lastName || client.organisation,
    "client.fullName": client.displayName,
    "client.salutation": salutationOf(client),
    "practice.name": practiceName,
    "mediator.name": mediatorName,
    "sender.name": senderName,
    today: dates.longDay(now()),
    ...ofCase,
    ...(next
      ? {
          "meeting.date": dates.longDay(next.startsAt),
          "meeting.time": dates.time(next.startsAt),
          "meeting.place": next.location,
        }
      : {}),
  };
}

function salutationOf({ title, firstName, knownAs, lastName, organisation }: Client): string {
  if (title && lastName) return `Dear ${title} ${lastName}`;
  return `Dear ${callNameOf({ firstName, knownAs, organisation })}`;
}

/** A mark at its end would stand beside that of the greeting. */
const callNameOf = ({ knownAs, firstName, organisation }: Pick<Client, "knownAs" | "firstName" | "organisation">) =>
  cleanName(knownAs) || cleanName(firstName) || cleanName(organisation);
