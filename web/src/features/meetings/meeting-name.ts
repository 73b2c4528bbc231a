import type { CalendarMeeting } from "@app/shared/meetings";

/** Whom or what a meeting is called by, in few words. */
export function nameOf({
  isBusyOnly,
  people,
  title,
}: Pick<CalendarMeeting, "isBusyOnly" | "people" | "title">): string {
  if (isBusyOnly) return "Busy";
  return people.map(({ name }) => name).join(", ") || title || "Meeting";
}
