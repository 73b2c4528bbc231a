import { FORM_FILE_MAX_BYTES } from "@app/shared/form-limits";
import { useEffect, useState } from "react";
import { FileRefusedError } from "../../core/send-file.ts";
import { makeId } from "../../core/new-id.ts";
import type { FileWays } from "./question-props.ts";

export interface Uploading {
  id: string;
  file: File;
  sentBytes: number;
  /** Why it was not kept; null while it is on its way. */
  failure: string | null;
  /** It never will be, however often it is sent. */
  isRefused: boolean;
  cancel: () => void;
}

/** Files of one question on their way to the server, and what is said of those that came or went. */
export function useUploads(fieldId: string, files: FileWays) {
  const [uploads, setUploads] = useState<Uploading[]>([]);
  const [said, setSaid] = useState("");
  const update = (uploadId: string, change: Partial<Uploading>) =>
    setUploads((all) => all.map((one) => (one.id === uploadId ? { ...one, ...change } : one)));
  const forget = (uploadId: string) => setUploads((all) => all.filter((one) => one.id !== uploadId));
  useEffect(() => {
    const [first] = uploads.toSorted((one, other) => Number(other.isRefused) - Number(one.isRefused));
    if (first) files.unkept.set(fieldId, whatToDo(first));
    return () => void files.unkept.delete(fieldId);
  }, [uploads, files, fieldId]);
  const add = (upload: Uploading) => setUploads((all) => [...all, upload]);

  const begin = (file: File) => {
    const id = makeId();
    if (file.size > FORM_FILE_MAX_BYTES) {
      const failure = "This file is over 10 MB. Choose a smaller one.";
      return add({ id, file, sentBytes: 0, failure, isRefused: true, cancel: () => undefined });
    }
    const { done, cancel } = files.upload(fieldId, file, (sentBytes) => update(id, { sentBytes }));
    add({ id, file, sentBytes: 0, failure: null, isRefused: false, cancel });
    done.then(
      () => {
        forget(id);
        setSaid(`${file.name} was added.`);
      },
      (error: unknown) => {
        if (error instanceof DOMException && error.name === "AbortError") return forget(id);
        const failure = error instanceof Error ? error.message : "It was not kept. Try again.";
        update(id, { failure, isRefused: error instanceof FileRefusedError });
      },
    );
  };
  const retry = ({ id, file }: Uploading) => {
    forget(id);
    begin(file);
  };
  const remove = (fileId: string, name: string) =>
    files.remove(fieldId, fileId).then(
      () => setSaid(`${name} was taken out.`),
      () => setSaid(`${name} could not be taken out. Check your connection and try again.`),
    );
  return { uploads, said, begin, retry, forget, remove };
}

function whatToDo({ file: { name }, failure, isRefused }: Uploading): string {
  if (failure === null) return `${name} is still being sent. Wait until it is there, or stop it.`;
  return isRefused
    ? `${name} was not added. Leave it out, and choose another file if you have one.`
    : `${name} was not added. Try it again, or leave it out.`;
}
