import type { Upload } from "@app/shared/files";

/** How far one upload is; `failure` says why it ended otherwise than well. */
export interface UploadState {
  id: string;
  name: string;
  sentBytes: number;
  totalBytes: number;
  status: "waiting" | "sending" | "done" | "failed" | "cancelled";
  failure: string;
}

interface Sending {
  done: Promise<void>;
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

/** Sends one file; XMLHttpRequest, because fetch does not tell how far it is. */
export function sendFile(file: File, upload: Upload, onProgress: (sentBytes: number) => void): Sending {
  const request = new XMLHttpRequest();
  const done = new Promise<void>((resolve, reject) => {
    request.upload.addEventListener("progress", ({ loaded }) => onProgress(loaded));
    request.addEventListener("load", () =>
      request.status === 201 ? resolve() : reject(new Error(messageIn(request.responseText))),
    );
    request.addEventListener("error", () =>
      reject(new Error("The connection broke off, so nothing was kept. Check it and try again.")),
    );
    request.addEventListener("abort", () => reject(new DOMException("cancelled", "AbortError")));
  });
  request.open("POST", `/files?upload=${encodeURIComponent(JSON.stringify(upload))}`);
  request.setRequestHeader("Content-Type", "application/octet-stream");
  request.send(file);
  return { done, cancel: () => request.abort() };
}
