const text = { type: String, default: "" };

/** How it is stored what was missing for a session, with why it was held all the same. */
export const unmetFields = {
  _id: false,
  what: [{ _id: false, text, isSafety: Boolean }],
  reason: text,
  at: Date,
  byId: String,
  byName: String,
} as const;
