export const PRODUCT_NAME = "Evenhand";
export const NOTIFICATION_TIMEOUT_MS = 5000;
/** Rows of a list that are shown at once. */
export const PAGE_SIZE = 20;
export const DIALOG_TRANSITION_MS = 300;
