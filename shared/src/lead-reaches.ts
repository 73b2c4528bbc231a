// How somebody who asks may be reached. Free of zod.

/** How they may be reached without risk, as they said it; empty where nobody asked. */
export const LEAD_REACHES = ["any", "email", "phone", "email_phone", "text", "post"] as const;
export type LeadReach = (typeof LEAD_REACHES)[number];
export const LEAD_REACH_NAMES = {
  any: "Any way is safe",
  email: "Email only",
  phone: "Phone only",
  email_phone: "Email or phone only",
  text: "Text only",
  post: "Post only",
} as const satisfies Record<LeadReach, string>;

/** Whether they may be written to by email, by what they said of how to be reached; nothing said forbids nothing. */
export const isReachedByEmail = ({ reachBy }: { reachBy: LeadReach | "" }): boolean =>
  reachBy === "" || ["any", "email", "email_phone"].includes(reachBy);
