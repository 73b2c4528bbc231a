import { headlessHeader } from "./headless.ts";
import { makeId } from "./new-id.ts";

/**
 * Sends the fields and files of a form by the installation's fallback service. Anything that is no form of this page is
 * refused before a request is made; a failure is told in the server's words. With the id that the page made when the
 * form opened (`useNewId`) it leaves once, however often it is sent.
 */
export async function sendForm(form: unknown, id: string = makeId()): Promise<void> {
  if (!(form instanceof HTMLFormElement)) {
    throw new TypeError("Only a form of this page can be sent.");
  }
  const response = await fetch("/functions/send-form", {
    method: "POST",
    headers: { "idempotency-key": id, ...headlessHeader() },
    body: new FormData(form),
  });
  if (!response.ok) throw new Error(reasonOf(response.status, await response.text()));
}

function reasonOf(status: number, text: string): string {
  const otherwise = `HTTP ${status}: ${text}`;
  try {
    const answer: unknown = JSON.parse(text);
    const isTold = typeof answer === "object" && answer !== null && "error" in answer;
    return isTold && typeof answer.error === "string" ? answer.error : otherwise;
  } catch (error) {
    if (error instanceof SyntaxError) return otherwise;
    throw error;
  }
}
