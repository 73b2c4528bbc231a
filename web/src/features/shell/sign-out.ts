import { apiClient } from "../../core/api-client.ts";

/** Ends the sign-in, empties what the browser kept, and loads the page anew, so that nothing stays in memory. */
export async function signOut(): Promise<void> {
  const { forgetKept } = await import("../../core/kept.ts");
  await apiClient.auth.signOut.mutate();
  try {
    await forgetKept(null);
  } finally {
    window.location.assign("/");
  }
}
