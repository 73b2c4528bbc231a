import { z } from "zod";
import { lineSchema } from "./text.ts";

export const COMPONENT_MAX_LENGTH = 80;
export const ERROR_MESSAGE_MAX_LENGTH = 2000;

export const reportErrorSchema = z.strictObject({
  /** The part of the page that failed, such as Router. */
  component: lineSchema(COMPONENT_MAX_LENGTH).min(1, "Name the part that failed"),
  message: z
    .string()
    .trim()
    .min(1, "Say what failed")
    .max(ERROR_MESSAGE_MAX_LENGTH, `Use at most ${ERROR_MESSAGE_MAX_LENGTH} characters`),
});
export const reportErrorResultSchema = z.object({ isReported: z.boolean() });
export type ReportError = z.infer<typeof reportErrorSchema>;
