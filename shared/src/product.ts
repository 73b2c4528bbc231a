export const PRODUCT_NAME = "Evenhand";
export const NOTIFICATION_TIMEOUT_MS = 5000;
export const DIALOG_TRANSITION_MS = 300;
