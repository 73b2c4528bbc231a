// Where a form for enquiries may be shown, and where it leads. Nothing of it is part of a version: it is how the form is
// offered, not what is asked.
import { z } from "zod";
import { idSchema } from "./ids.ts";

export const EMBED_ORIGINS_MAX = 10;
const REDIRECT_MAX_LENGTH = 500;

const originSchema = z
  .string()
  .trim()
  .toLowerCase()
  .max(200)
  .transform((text) => (text.endsWith("/") ? text.slice(0, -1) : text))
  .pipe(
    z
      .string()
      .regex(
        /^(https:\/\/[a-z0-9-]+(\.[a-z0-9-]+)+|http:\/\/(localhost|127\.0\.0\.1))(:\d{2,5})?$/,
        "Enter the address of a website, such as https://www.example.org",
      ),
  );

const redirectSchema = z
  .string()
  .trim()
  .max(REDIRECT_MAX_LENGTH, `Use at most ${REDIRECT_MAX_LENGTH} characters`)
  .regex(/^(https:\/\/[^\s<>"\\@]+)?$/, "Enter an address that begins with https://, or nothing");

export const formSharingSchema = z.object({
  /** The websites that may show it within a page of theirs; nobody else can. */
  embedOrigins: z.array(originSchema).max(EMBED_ORIGINS_MAX, `Name at most ${EMBED_ORIGINS_MAX} websites`),
  /** Where people go once they sent it; empty for the thanks of the form. */
  redirectUrl: redirectSchema,
});
export type FormSharing = z.infer<typeof formSharingSchema>;
export const NOT_EMBEDDED: FormSharing = { embedOrigins: [], redirectUrl: "" };

export const setFormSharingSchema = z.strictObject({ id: idSchema, ...formSharingSchema.shape });
