import { z } from "zod";

export const idSchema = z.string().regex(/^[\w-]{1,64}$/, "This link is not complete");
export const byIdSchema = z.strictObject({ id: idSchema });
/** A secret that came by mail or in a link: base64url of at least 128 bits. */
export const tokenSchema = z.string().regex(/^[\w-]{22,128}$/, "This link is not complete. Copy the whole of it.");

/** For `safeExtend`: what creates something carries an id that its sender chose, so that what is sent twice is made once. */
export const ofNewThing = { id: idSchema };
/** The same for what adds to something that exists, or sends it. */
export const ofChange = { changeId: idSchema };
