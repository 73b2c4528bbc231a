import type { Case } from "@app/shared/cases";

export const SCOPE_WORDS: Record<Case["issueScope"], string> = {
  all_issues: "All issues",
  property_finance: "Property and finance",
  child_only: "Children",
  other: "Other issues",
};

export const FORMAT_WORDS: Record<Case["format"], string> = {
  in_person: "In person",
  online: "Online",
  phone: "By phone",
  hybrid: "Online and in person",
  shuttle: "Shuttle",
};

const two = (value: number) => String(value).padStart(2, "0");

/** 0:47:12 */
export function clockText(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

/** 1:30 */
export const hoursText = (minutes: number): string => `${Math.floor(minutes / 60)}:${two(minutes % 60)}`;
