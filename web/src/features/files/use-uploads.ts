import { FILE_MAX_BYTES, sizeText, type Upload, UPLOADS_AT_ONCE } from "@app/shared/files";
import { useRef, useState } from "react";
import { api } from "../../core/api.ts";
import { makeId } from "../../core/new-id.ts";
import { sendFile } from "../../core/send-file.ts";
import { uploadAddress, type UploadState } from "./upload.ts";

const STOPPED = { status: "cancelled", failure: "Stopped, nothing was kept" } as const;

type Place = Omit<Upload, "name">;

interface Waiting {
  id: string;
  file: File;
  place: Place;
}

/** Sends files, three at a time, each with its progress; each can be stopped. */
export function useUploads() {
  const utils = api.useUtils();
  const [uploads, setUploads] = useState<readonly UploadState[]>([]);
  const waiting = useRef<Waiting[]>([]);
  const sending = useRef(new Map<string, () => void>());

  const set = (id: string, change: Partial<UploadState>) =>
    setUploads((before) => before.map((upload) => (upload.id === id ? { ...upload, ...change } : upload)));

  async function send({ id, file, place }: Waiting) {
    const { done, cancel } = sendFile(
      file,
      uploadAddress({ id, ...place, name: file.name.normalize("NFC") }),
      (sentBytes) => set(id, { sentBytes }),
    );
    sending.current.set(id, cancel);
    set(id, { status: "sending" });
    try {
      await done;
      set(id, { status: "done", sentBytes: file.size });
      await Promise.all([utils.files.invalidate(), utils.timeline.invalidate()]);
    } catch (error) {
      set(id, whyNotSent(error));
    } finally {
      sending.current.delete(id);
      pump();
    }
  }

  function pump() {
    while (sending.current.size < UPLOADS_AT_ONCE) {
      const next = waiting.current.shift();
      if (!next) return;
      sending.current.set(next.id, () => undefined);
      void send(next);
    }
  }

  return {
    uploads,
    add(files: readonly File[], place: Place) {
      const added = files.map((file) => ({ id: makeId(), file, place }));
      setUploads((before) => [...before, ...added.map(beforeSending)]);
      waiting.current.push(...added.filter((one) => !isTooLarge(one)));
      pump();
    },
    stop(id: string) {
      sending.current.get(id)?.();
      if (waiting.current.some((one) => one.id === id)) {
        waiting.current = waiting.current.filter((one) => one.id !== id);
        set(id, STOPPED);
      }
    },
    clear: () => setUploads((before) => before.filter(({ status }) => status === "waiting" || status === "sending")),
  };
}

const isTooLarge = ({ file }: Waiting) => file.size > FILE_MAX_BYTES;

/** How a file stands before anything of it is sent. */
function beforeSending(one: Waiting): UploadState {
  const { name, size } = one.file;
  const upload = { id: one.id, name, sentBytes: 0, totalBytes: size };
  return isTooLarge(one)
    ? { ...upload, status: "failed", failure: `Over ${sizeText(FILE_MAX_BYTES)}: send a smaller one` }
    : { ...upload, status: "waiting", failure: "" };
}

function whyNotSent(error: unknown): Pick<UploadState, "status" | "failure"> {
  if (error instanceof DOMException && error.name === "AbortError") return STOPPED;
  return { status: "failed", failure: error instanceof Error ? error.message : String(error) };
}
