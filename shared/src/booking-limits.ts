// What the public pages of bookings need to know of their limits. Free of zod.

/** So many times a party may choose that suit them. */
export const PICKS_MAX = 12;
