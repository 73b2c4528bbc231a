// What the calls of the mail gateway take and give, whoever calls.
import type { z } from "zod";
import type { SendDetails } from "@app/shared/mail-payload";
import { badField } from "../../core/errors.ts";

/** A mail of 25 MB in base64, with room for its text. */
export const SEND_MAX_BYTES = 40 * 1024 * 1024;
export const FETCH_MAX_BYTES = 1024 * 1024;

/** Throws BAD_REQUEST that names the field. */
export function read<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue?.path.join(".") || "payload";
  throw badField(field, `${field}: ${issue?.message ?? "This cannot be used."}`);
}

export const successOf = ({ messageId, rejected, warnings }: SendDetails) => ({
  success: true,
  messageId,
  ...(rejected ? { rejected } : {}),
  ...(warnings ? { warnings } : {}),
});
