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

export const uploadAddress = (upload: Upload & { id: string }): string =>
  `/files?upload=${encodeURIComponent(JSON.stringify(upload))}`;
