// What filling in a form is bounded by. Free of zod, because the page that is filled in loads it.

/** A form that nobody finishes is kept for so long after it was last saved. */
export const DRAFT_KEPT_DAYS = 30;
/** So many of the latest are read beside a screening; the earlier ones stand with the client. */
export const SAFETY_ANSWERS_MAX = 3;

/** How long a link to one client may last. */
export const LINK_DAYS = [7, 14, 30, 90] as const;
export const LINK_DAYS_DEFAULT = 30;
/** What a page that broke off may say of how long ago an answer was given. */
export const ANSWERED_AGO_MAX_MS = 7 * 24 * 60 * 60 * 1000;
/** Files that anybody may send without signing in, by the ends of their names. */
export const FORM_FILE_ENDINGS = [
  "pdf",
  "png",
  "jpg",
  "jpeg",
  "gif",
  "webp",
  "heic",
  "docx",
  "xlsx",
  "odt",
  "txt",
] as const;
export const FORM_FILES_ADDRESS = "/form-files";
/** Where whoever has to leave at once is taken: it says nothing of what was on the page before. */
export const NEUTRAL_SITE = "https://www.metoffice.gov.uk/";

/** What became of a link, read from what was recorded; the last that is true. */
export const LINK_STATES = ["made", "sent", "opened", "half_done", "done", "expired", "revoked"] as const;
export type LinkState = (typeof LINK_STATES)[number];
export const LINK_STATE_NAMES = {
  made: "Not sent",
  sent: "Sent",
  opened: "Opened",
  half_done: "Half done",
  done: "Done",
  expired: "Expired",
  revoked: "Revoked",
} as const satisfies Record<LinkState, string>;

/** Where a mail goes that somebody asks for who fills in a form. */
export const MAILS_TO = ["own", "typed", "none"] as const;
export type MailsTo = (typeof MAILS_TO)[number];
export const RECEIPT_ADDRESS = "/form-receipts";
/** So long after it was sent its receipt can be had from the page. */
export const RECEIPT_MINUTES = 60;

/** How many questions of a form have a column in the list of its answers. */
export const ANSWER_COLUMNS_SHOWN = 4;
