// What stands in the practice's place on a mail that must not name it.
import { tellsOf } from "./telling-words.ts";

export { neutralPlaceOf } from "./telling-words.ts";

export interface StandIn {
  /** A person's; empty where it would name the practice as well, or what it does. */
  name: string;
  subject: string;
}

/** Somebody may be called like their practice. */
export function standInOf(practiceName: string, senderName: string): StandIn {
  const name = tellsOf(practiceName)(senderName) ? "" : senderName;
  return { name, subject: name ? `A message from ${name}` : "A message for you" };
}
