import type { BegunRegistration } from "@app/shared/auth";
import { apiClient } from "../../core/api-client.ts";
import { codeOf } from "../../core/errors.ts";

/** What a mailed link to open a practice stands for; "gone" where it is used, too old or not complete. */
export async function readBegunRegistration(token: string | undefined): Promise<BegunRegistration | "gone" | null> {
  if (token === undefined) return null;
  try {
    return await apiClient.auth.registration.query({ token });
  } catch (error) {
    if (codeOf(error) === "BAD_REQUEST") return "gone";
    throw error;
  }
}
