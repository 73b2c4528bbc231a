import { clock } from "@app/server/core/clock";
import { vi } from "vitest";

export interface Refusal {
  message: string;
  code: string;
  fields: Record<string, string>;
  /** Because the same thing was saved meanwhile. */
  isStale: boolean;
}

/** How a call was refused: its sentence, its code, its messages by field, and whether it came too late. */
export async function refusal(promise: Promise<unknown>): Promise<Refusal> {
  const error: unknown = await promise.then(
    () => new Error("was not refused"),
    (reason: unknown) => reason,
  );
  const data =
    error instanceof Error && "data" in error && typeof error.data === "object" && error.data !== null
      ? error.data
      : {};
  const fields =
    "fieldErrors" in data && typeof data.fieldErrors === "object" ? Object.entries(data.fieldErrors ?? {}) : [];
  return {
    message: error instanceof Error ? error.message : "",
    code: "code" in data ? String(data.code) : "",
    fields: Object.fromEntries(fields.map(([name, text]) => [name, String(text)])),
    isStale: "isStale" in data && data.isStale === true,
  };
}

/** From here on the server's clock is ahead by so much, until the end of the test. */
export function moveTime(ms: number): Date {
  const at = new Date(Date.now() + ms);
  vi.spyOn(clock, "now").mockImplementation(() => at);
  return at;
}
