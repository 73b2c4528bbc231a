import { withoutLeakCode } from "@app/shared/party-leak";

interface ErrorData {
  code: string | undefined;
  reference: string | undefined;
  fieldErrors: Record<string, string>;
  isStale: boolean;
}

const textAt = (record: object, key: string): string | undefined => {
  const value: unknown = Reflect.get(record, key);
  return typeof value === "string" ? value : undefined;
};

function dataOf(error: unknown): ErrorData {
  const found = error instanceof Error && "data" in error ? error.data : null;
  const data = typeof found === "object" ? (found ?? {}) : {};
  const fields = "fieldErrors" in data && typeof data.fieldErrors === "object" ? data.fieldErrors : null;
  const messages = Object.entries(fields ?? {}).map(([field, message]) => [field, String(message)]);
  return {
    code: textAt(data, "code"),
    reference: textAt(data, "reference"),
    fieldErrors: Object.fromEntries(messages),
    isStale: "isStale" in data && data.isStale === true,
  };
}

/** The server's code of a failed call, such as NOT_FOUND; undefined where no server answered. */
export const codeOf = (error: unknown): string | undefined => dataOf(error).code;
/** Refused until the person shows again who they are. A form that gets this was left by them at that question. */
export const isUnconfirmed = (error: unknown): boolean => codeOf(error) === "REAUTH_REQUIRED";
/** Refused because the same thing was saved elsewhere since this page read it. */
export const isStale = (error: unknown): boolean => dataOf(error).isStale;
export const referenceOf = (error: unknown): string | undefined => dataOf(error).reference;
/** Messages by field path, as the server's validation found them. */
export const fieldErrorsOf = (error: unknown): Record<string, string> => dataOf(error).fieldErrors;

/** A sentence for the reader: what happened and what to do. */
export function messageOf(error: unknown): string {
  if (codeOf(error) && error instanceof Error) return withoutLeakCode(error.message);
  return "The server did not answer, so nothing was saved. Check your connection and try again.";
}
