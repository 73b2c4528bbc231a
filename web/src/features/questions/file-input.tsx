import { filesOf } from "@app/shared/form-answers";
import { FORM_FILE_MAX_BYTES } from "@app/shared/form-limits";
import { FORM_FILE_ENDINGS } from "@app/shared/submission-limits";
import { useRef, useState } from "react";
import { makeId } from "../../core/new-id.ts";
import type { Of } from "./question-props.ts";

interface Uploading {
  id: string;
  file: File;
  sentBytes: number;
  /** Why it was not kept; null while it is on its way. */
  failure: string | null;
  cancel: () => void;
}

const MB = 1024 * 1024;
const sizeOf = (bytes: number): string =>
  bytes < MB ? `${Math.ceil(bytes / 1024)} KB` : `${(bytes / MB).toFixed(1)} MB`;

/** Files go to the server as they are chosen, each with how far it is. */
export function FileInput({ field, id, answer, describedBy, problems, files }: Of<"file">) {
  const kept = filesOf(answer);
  const [uploads, setUploads] = useState<Uploading[]>([]);
  const [said, setSaid] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const update = (uploadId: string, change: Partial<Uploading>) =>
    setUploads((all) => all.map((one) => (one.id === uploadId ? { ...one, ...change } : one)));
  const forget = (uploadId: string) => setUploads((all) => all.filter((one) => one.id !== uploadId));

  const begin = (file: File) => {
    const uploadId = makeId();
    if (file.size > FORM_FILE_MAX_BYTES) {
      const failure = "This file is over 10 MB. Choose a smaller one.";
      return setUploads((all) => [...all, { id: uploadId, file, sentBytes: 0, failure, cancel: () => undefined }]);
    }
    const { done, cancel } = files.upload(field.id, file, (sentBytes) => update(uploadId, { sentBytes }));
    setUploads((all) => [...all, { id: uploadId, file, sentBytes: 0, failure: null, cancel }]);
    done.then(
      () => {
        forget(uploadId);
        setSaid(`${file.name} was added.`);
      },
      (error: unknown) => {
        if (error instanceof DOMException && error.name === "AbortError") return forget(uploadId);
        update(uploadId, { failure: error instanceof Error ? error.message : "It was not kept. Try again." });
      },
    );
  };
  const retry = ({ id: uploadId, file }: Uploading) => {
    forget(uploadId);
    begin(file);
  };
  const remove = (fileId: string, name: string) =>
    files.remove(field.id, fileId).then(
      () => setSaid(`${name} was taken out.`),
      () => setSaid(`${name} could not be taken out. Check your connection and try again.`),
    );
  const isFull = kept.length + uploads.filter(({ failure }) => failure === null).length >= field.atMost;
  return (
    <>
      <ul className="form-files">
        {kept.map(({ id: fileId, name, bytes }) => (
          <li key={fileId}>
            <span className="form-file-name">{name}</span>
            <span className="form-file-size">{sizeOf(bytes)}</span>
            <button
              type="button"
              className="form-small-button"
              aria-label={`Take out ${name}`}
              onClick={() => void remove(fileId, name)}
            >
              Take out
            </button>
          </li>
        ))}
        {uploads.map((upload) => (
          <UploadRow key={upload.id} upload={upload} onForget={() => forget(upload.id)} onRetry={() => retry(upload)} />
        ))}
      </ul>
      <p className="form-help">
        {field.atMost === 1 ? "One file" : `Up to ${field.atMost} files`}, each up to 10 MB: PDF, photographs, Word,
        Excel or text.
      </p>
      <input
        ref={input}
        id={id}
        type="file"
        className="form-file-input"
        multiple={field.atMost > 1}
        disabled={isFull}
        accept={FORM_FILE_ENDINGS.map((ending) => `.${ending}`).join(",")}
        aria-label={`Add a file: ${field.label}`}
        aria-describedby={describedBy}
        aria-invalid={Boolean(problems[""]) || undefined}
        onChange={({ currentTarget }) => {
          const room = field.atMost - kept.length - uploads.filter(({ failure }) => failure === null).length;
          for (const file of [...(currentTarget.files ?? [])].slice(0, room)) begin(file);
          currentTarget.value = "";
        }}
      />
      <p role="status" className="form-said">
        {said}
      </p>
    </>
  );
}

interface RowProps {
  upload: Uploading;
  onForget: () => void;
  onRetry: () => void;
}

function UploadRow({ upload: { file, sentBytes, failure, cancel }, onForget, onRetry }: RowProps) {
  if (failure !== null)
    return (
      <li>
        <span className="form-file-name">{file.name}</span>
        <span className="form-error">{failure}</span>
        <button type="button" className="form-small-button" aria-label={`Try ${file.name} again`} onClick={onRetry}>
          Try again
        </button>
        <button type="button" className="form-small-button" aria-label={`Leave out ${file.name}`} onClick={onForget}>
          Leave out
        </button>
      </li>
    );
  const percent = file.size > 0 ? Math.round((sentBytes / file.size) * 100) : 0;
  return (
    <li>
      <span className="form-file-name">{file.name}</span>
      <progress max={100} value={percent} aria-label={`${file.name}: how much was sent`} />
      <span className="form-file-size">{percent} %</span>
      <button type="button" className="form-small-button" aria-label={`Stop sending ${file.name}`} onClick={cancel}>
        Stop
      </button>
    </li>
  );
}
