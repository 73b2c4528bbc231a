import { headers } from "./api-client.ts";

interface Sending {
  /** What the server answered, as text. */
  done: Promise<string>;
  cancel: () => void;
}

const messageIn = (text: string): string => {
  try {
    const answer: unknown = JSON.parse(text);
    if (typeof answer === "object" && answer !== null && "error" in answer) {
      const { error } = answer;
      if (typeof error === "object" && error !== null && "message" in error) return String(error.message);
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return "The server did not take this file. Try again.";
};

/** The server does not take this file, however often it is sent. */
export class FileRefusedError extends Error {}

const REFUSED = [400, 413, 415];
const failureOf = ({ status, responseText }: XMLHttpRequest): Error =>
  REFUSED.includes(status) ? new FileRefusedError(messageIn(responseText)) : new Error(messageIn(responseText));

/** Sends one file to an address of ours; XMLHttpRequest, because fetch does not tell how far it is. */
export function sendFile(file: File, address: string, onProgress: (sentBytes: number) => void): Sending {
  const request = new XMLHttpRequest();
  const done = new Promise<string>((resolve, reject) => {
    request.upload.addEventListener("progress", ({ loaded }) => onProgress(loaded));
    request.addEventListener("load", () =>
      request.status === 200 || request.status === 201 ? resolve(request.responseText) : reject(failureOf(request)),
    );
    request.addEventListener("error", () =>
      reject(new Error("The connection broke off, so nothing was kept. Check it and try again.")),
    );
    request.addEventListener("abort", () => reject(new DOMException("cancelled", "AbortError")));
  });
  request.open("POST", address);
  const sent = { ...headers(), "content-type": "application/octet-stream" };
  for (const [name, value] of Object.entries(sent)) request.setRequestHeader(name, value);
  request.send(file);
  return { done, cancel: () => request.abort() };
}
