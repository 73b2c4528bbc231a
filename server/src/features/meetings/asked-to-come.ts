// Whether anybody is asked to come to a meeting as things stand now, by whatever way they would be.
import type { Case } from "@app/shared/cases";
import type { Scope } from "../../core/trpc.ts";
import { isConflicted } from "../conflicts/conflicts.service.ts";
import { isOffByEnd, isOneSided } from "./ended-cases.ts";
import { isUnsafe } from "./meeting-safety.ts";
import type { MeetingDoc } from "./meetings.model.ts";

/**
 * Its case ended since, somebody is found not safe by now, no two sides are left, or the practice may not act in it; null
 * where they are asked.
 */
export async function whyNotAsked(
  scope: Scope,
  theCase: Case,
  meeting: Pick<MeetingDoc, "type" | "partyIds" | "createdAt">,
): Promise<"ended" | "unsafe" | "one-sided" | "conflict" | null> {
  if (isOffByEnd(theCase, meeting)) return "ended";
  if (await isUnsafe(scope, theCase, meeting)) return "unsafe";
  if (isOneSided(theCase, meeting)) return "one-sided";
  return (await isConflicted(scope, theCase.id)) ? "conflict" : null;
}
