import type { Invitation } from "@app/shared/auth";
import { apiClient } from "../../core/api-client.ts";
import { codeOf } from "../../core/errors.ts";

const REFUSALS = ["NOT_FOUND", "BAD_REQUEST"];

/** What an invitation's link stands for; "gone" where it is used, too old or not complete. */
export async function readInvitation(token: string | undefined): Promise<Invitation | "gone" | "hasAccount"> {
  if (token === undefined) return "gone";
  try {
    return await apiClient.auth.invitation.query({ token });
  } catch (error) {
    const code = codeOf(error) ?? "";
    if (code === "CONFLICT") return "hasAccount";
    if (REFUSALS.includes(code)) return "gone";
    throw error;
  }
}
