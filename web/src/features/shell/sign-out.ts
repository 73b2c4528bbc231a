import { apiClient } from "../../core/api-client.ts";

/** Ends the sign-in and loads the page anew, so that nothing of the work stays in memory. */
export async function signOut(): Promise<void> {
  await apiClient.auth.signOut.mutate();
  window.location.assign("/");
}
