// For somebody who may only be reached in a certain way: whoever looks over their shoulder learns of an appointment alone.
import type { Scope } from "../../core/trpc.ts";
import { partyOf, type Recipient } from "../visibility/for-party.service.ts";
import { clientBriefs } from "./clients.service.ts";

export const NEUTRAL_TITLE = "Appointment";

export async function isNeutralFor(scope: Scope, to: Recipient): Promise<boolean> {
  const { clientId } = partyOf(to);
  return (await clientBriefs(scope, [clientId])).get(clientId)?.isRestricted ?? true;
}

/** What lines about where a party stands call a meeting. */
const MEETING_NAMES = /\b(an? )?(?:MIAM|[Ii]ndividual meeting|first meeting)\b/g;

/** Such a line, with the meeting that it names as an appointment. */
export const neutralLine = (text: string): string =>
  text.replaceAll(MEETING_NAMES, (_name, article?: string) => `${article ? "an " : ""}${NEUTRAL_TITLE}`);
