// Free of zod, because pages that are filled in without an account load it.
export const PHONE_PATTERN = /^\+?[0-9 ()-]{6,20}$/;
export const PHONE_HINT = "Enter 6 to 20 digits, such as 07700 900142";
