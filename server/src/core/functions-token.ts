// Another installation calls this one as its mail gateway, and shows by MAIL_FUNCTIONS_TOKEN that it may.
import { createHash, timingSafeEqual } from "node:crypto";
import type { Request } from "express";
import { unauthorized } from "./errors.ts";
import { settings } from "./settings.ts";

const hashOf = (text: string): Buffer => createHash("sha256").update(text).digest();

/** Whether this call comes from an installation, and from no page: no page of another site can send this header. */
export const bearsToken = ({ headers }: Request): boolean => headers.authorization !== undefined;

/** Throws UNAUTHORIZED for another token than this server's, and where it takes none: it uses a gateway itself, or has no token. */
export function requireToken({ headers }: Request): void {
  const { MAIL_FUNCTIONS_URL: gateway, MAIL_FUNCTIONS_TOKEN: token } = settings();
  const given = /^Bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1] ?? "";
  // Hashes are of one length and in constant time: how much of a guess is right does not show.
  if (!token || gateway || !timingSafeEqual(hashOf(given), hashOf(token)))
    throw unauthorized("This token is not the one that this server takes. Set the same MAIL_FUNCTIONS_TOKEN on both.");
}
