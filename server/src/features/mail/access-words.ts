// Also as link scanners write it, with its signs encoded.
const LETS_IN = /(?:resetpassword|setup|register)(?:\?|%3F)[^\s"'<>]{0,300}?token(?:=|%3D)/i;

/** Whether a text lets its reader in: not every service lets us name the mail that it sends. */
export const letsSomebodyIn = (text: string): boolean => LETS_IN.test(text);
