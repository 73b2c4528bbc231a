import type { ClientMailPlace, MailPart } from "@app/shared/inbox";

export type MailPlace = ClientMailPlace;

/** Where the server shows a mail or gives what is attached to it. */
export function mailAddress(what: "message" | "attachment", place: MailPlace | MailPart, showsImages = false): string {
  const query = new URLSearchParams({ place: JSON.stringify(place), ...(showsImages ? { images: "true" } : {}) });
  return `/export/mail/${what}?${query.toString()}`;
}
