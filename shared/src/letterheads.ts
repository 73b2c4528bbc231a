// What stands at the head of what a practice writes: its name, and its logo where it has one.
import { z } from "zod";
import { fileNameSchema } from "./files.ts";
import { idSchema } from "./ids.ts";

export const LOGO_ADDRESS = "/practice-logo";
export const LOGO_MAX_BYTES = 1024 * 1024;
export const LOGO_MAX_PIXELS = 4_000_000;
export const LOGO_ENDINGS = ["png", "jpg", "jpeg"] as const;

/** What is said of a logo that comes as the body: the same `id` once more is the same logo. */
export const logoUploadSchema = z.strictObject({ id: idSchema, name: fileNameSchema });
export type LogoUpload = z.output<typeof logoUploadSchema>;

export const letterheadSchema = z.object({
  name: z.string(),
  /** Null where there is none; another one for another logo. */
  logoId: idSchema.nullable(),
});
export type Letterhead = z.infer<typeof letterheadSchema>;

export const logoAddress = (logoId: string): string => `${LOGO_ADDRESS}/${logoId}`;
