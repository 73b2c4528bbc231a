/**
 * 128 random bits, as four numbers. Not `crypto.randomUUID`, which browsers keep from pages that come without TLS from
 * another machine.
 */
export const makeId = (): string => crypto.getRandomValues(new Uint32Array(4)).join("-");
