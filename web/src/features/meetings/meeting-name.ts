import type { Meeting } from "@app/shared/meetings";

/** Whom or what a meeting is called by, in few words. */
export function nameOf({ isBusyOnly, people, title }: Pick<Meeting, "isBusyOnly" | "people" | "title">): string {
  if (isBusyOnly) return "Busy";
  return people.map(({ name }) => name).join(", ") || title || "Meeting";
}
