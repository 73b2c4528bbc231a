import type { ZodType } from "zod";

/**
 * Checks a form's values with the schema that the server uses: messages by field path, the first of each field.
 * A form may hold what the schema does not take, such as a choice that is not made yet.
 */
export const validateWith =
  <Input extends Values, Values>(schema: ZodType<unknown, Input>) =>
  (values: Values): Record<string, string> => {
    const result = schema.safeParse(values);
    const messages = new Map<string, string>();
    for (const issue of result.error?.issues ?? []) {
      const field = issue.path.join(".");
      if (!messages.has(field)) messages.set(field, issue.message);
    }
    return Object.fromEntries(messages);
  };
