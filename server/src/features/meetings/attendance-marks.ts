// Who came to a meeting, as it is marked there. Pure.
import type { MeetingDoc } from "./meetings.model.ts";

type Marks = MeetingDoc["attendance"];

/** A meeting of one person that took place, took place with them. */
export function presenceIn({ partyIds, attendance, clientIds, caseId }: MeetingDoc): Marks {
  const [only, ...more] = partyIds;
  const isOfOne = caseId !== null && only !== undefined && more.length === 0 && clientIds.length === 1;
  return isOfOne && attendance.length === 0 ? [{ partyId: only, attendance: "present" }] : attendance;
}

/** What to keep with this mark: where somebody came after all to a "No-show", it took place, and nobody else came. */
export function markedWith(
  { status, partyIds, attendance: before }: MeetingDoc,
  mark: Marks[number],
): Partial<MeetingDoc> {
  const others = before.filter(({ partyId }) => partyId !== mark.partyId);
  if (status !== "no_show" || mark.attendance === "no_show") return { attendance: [...others, mark] };
  const marked = [...others, mark];
  const missing = partyIds.filter((id) => marked.every(({ partyId }) => partyId !== id));
  const missed = missing.map((partyId) => ({ partyId, attendance: "no_show" as const }));
  return { status: "completed", attendance: [...marked, ...missed] };
}
