// Whether anybody is asked to come to a meeting as things stand now, by whatever way they would be.
import type { Case } from "@app/shared/cases";
import type { Scope } from "../../core/trpc.ts";
import { isOffByEnd, isOneSided } from "./ended-cases.ts";
import { isUnsafe } from "./meeting-safety.ts";
import type { MeetingDoc } from "./meetings.model.ts";

/** Its case ended since, somebody is found not safe by now, or no two sides are left; null where they are asked. */
export async function whyNotAsked(
  scope: Scope,
  theCase: Case,
  meeting: Pick<MeetingDoc, "type" | "partyIds" | "createdAt">,
): Promise<"ended" | "unsafe" | "one-sided" | null> {
  if (isOffByEnd(theCase, meeting)) return "ended";
  if (await isUnsafe(scope, theCase, meeting)) return "unsafe";
  return isOneSided(theCase, meeting) ? "one-sided" : null;
}
