// What a person was sent to fill in, move or cancel opens for whoever holds its address. In a mail that others of the practice
// read, the address is left out: what they may do for that person they do by what they may.

/** The pages that open by a secret in their address (the README lists them). */
const PERSONAL = /https?:\/\/[^\s"'<>()\\]{1,200}\/(?:form|lead-form|schedule-meeting)\/[\w\-/%]{1,300}/g;

/** The text, plain or as HTML, with no address in it that opens what is somebody's own. */
export const withoutPersonalLinks = (text: string): string => text.replace(PERSONAL, "[their own link]");
