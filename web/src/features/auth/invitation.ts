import type { Invitation } from "@app/shared/auth";
import { apiClient } from "../../core/api-client.ts";
import { codeOf } from "../../core/errors.ts";

const REFUSALS = ["NOT_FOUND", "BAD_REQUEST"];

/** What an invitation's link stands for; null where it is used, too old or not complete. */
export async function readInvitation(token: string | undefined): Promise<Invitation | null> {
  if (token === undefined) return null;
  try {
    return await apiClient.auth.invitation.query({ token });
  } catch (error) {
    if (REFUSALS.includes(codeOf(error) ?? "")) return null;
    throw error;
  }
}
