import type { SaveAnswers } from "@app/shared/submissions";
import { API_URL } from "../../core/api-client.ts";

/** Longer ones a browser does not send on after the page is gone. */
const LENGTH_MAX = 60_000;

/** Saves from a page that is being left: the request goes on without it. */
export function sendOnTheWay(input: SaveAnswers): void {
  const body = JSON.stringify(input);
  if (body.length > LENGTH_MAX) return;
  const address = `${API_URL}/submissions.filling.save`;
  // Nobody is there any more to be told that it failed.
  fetch(address, { method: "POST", keepalive: true, headers: { "content-type": "application/json" }, body }).catch(
    () => undefined,
  );
}
