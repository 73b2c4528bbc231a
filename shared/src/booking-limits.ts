// What the public pages of bookings need to know of their limits. Free of zod.

/** So many times a party may choose that suit them. */
export const PICKS_MAX = 12;

export const VISITOR_NAME_MAX_LENGTH = 60;
/** Of each question that the practice asks. */
export const ANSWER_MAX_LENGTH = 500;

/** Whoever is to be rung says under which number. */
export const needsPhone = (kind: "in_person" | "video" | "phone"): boolean => kind === "phone";
export const NEEDS_PHONE = "Enter your phone number: we ring you at the time that you chose";

/** The practice changed its link while somebody had its page open: what they read and answered is not what it asks by now. */
export const PAGE_CHANGED = "This page was changed meanwhile. Look at it again.";

/** How a refusal begins that goes on with the next free times. */
export const TAKEN = "Somebody else has just taken this time.";

/** So long a time is held for whoever was asked to pay for it. */
export const DEPOSIT_MINUTES = 30;
