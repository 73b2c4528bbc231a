// What somebody may send who is not signed in. Whatever takes more than a short form stands here, and nowhere else.
import type { Asker } from "./fair-turns.ts";
import { networkOf } from "./rate-limit.ts";

const FORM_BYTES = 8 * 1024;
const LARGER_BYTES = {
  // An event says all of what it is about.
  "webhooks/stripe": 1024 * 1024,
  // Long answers and signatures that were drawn.
  "submissions.filling.save": 512 * 1024,
  "submissions.filling.submit": 512 * 1024,
  "signatures.signing.sign": 512 * 1024,
};

/** How large a body may be of somebody who is not signed in; `larger` for what is named above. */
export const anonymousMaxBytes = (larger?: keyof typeof LARGER_BYTES): number =>
  larger ? LARGER_BYTES[larger] : FORM_BYTES;

const isLarger = (path: string): path is keyof typeof LARGER_BYTES => Object.hasOwn(LARGER_BYTES, path);

/** The same for a call of the router. */
export const anonymousCallMaxBytes = (path: string): number => anonymousMaxBytes(isLarger(path) ? path : undefined);

/** The turns of whoever asks from this address. */
export const ofNetwork = (ip: string): Asker => ({ group: networkOf(ip), one: "" });
