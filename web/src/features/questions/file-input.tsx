import { filesOf } from "@app/shared/form-answers";
import { FORM_FILE_ENDINGS } from "@app/shared/submission-limits";
import { useRef } from "react";
import type { Of } from "./question-props.ts";
import { type Uploading, useUploads } from "./use-uploads.ts";

const MB = 1024 * 1024;
const sizeOf = (bytes: number): string =>
  bytes < MB ? `${Math.ceil(bytes / 1024)} KB` : `${(bytes / MB).toFixed(1)} MB`;

/** Files go to the server as they are chosen, each with how far it is. */
export function FileInput({ field, id, answer, describedBy, problems, files }: Of<"file">) {
  const kept = filesOf(answer);
  const { uploads, said, begin, retry, forget, remove } = useUploads(field.id, files);
  const room = field.atMost - kept.length - uploads.filter(({ failure }) => failure === null).length;
  const input = useRef<HTMLInputElement>(null);
  // What was pressed is gone with its row, and the box may just have been opened again.
  const focusInput = () => void setTimeout(() => input.current?.focus());
  const leaveOut = (uploadId: string) => {
    forget(uploadId);
    focusInput();
  };
  return (
    <>
      <ul className="form-files">
        {kept.map(({ id: fileId, name, bytes }) => (
          <KeptRow key={fileId} name={name} bytes={bytes} onRemove={() => void remove(fileId, name).then(focusInput)} />
        ))}
        {uploads.map((upload) => (
          <UploadRow
            key={upload.id}
            upload={upload}
            onForget={() => leaveOut(upload.id)}
            onRetry={() => retry(upload)}
          />
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
        disabled={room <= 0}
        accept={FORM_FILE_ENDINGS.map((ending) => `.${ending}`).join(",")}
        aria-label={`Add a file: ${field.label}`}
        aria-describedby={describedBy}
        aria-invalid={Boolean(problems[""]) || undefined}
        onChange={({ currentTarget }) => {
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

interface KeptProps {
  name: string;
  bytes: number;
  onRemove: () => void;
}

const KeptRow = ({ name, bytes, onRemove }: KeptProps) => (
  <li>
    <span className="form-file-name">{name}</span>
    <span className="form-file-size">{sizeOf(bytes)}</span>
    <button type="button" className="form-small-button" aria-label={`Take out ${name}`} onClick={onRemove}>
      Take out
    </button>
  </li>
);

interface RowProps {
  upload: Uploading;
  onForget: () => void;
  onRetry: () => void;
}

function UploadRow({ upload: { file, sentBytes, failure, isRefused, cancel }, onForget, onRetry }: RowProps) {
  if (failure !== null)
    return (
      <li>
        <span className="form-file-name">{file.name}</span>
        <span className="form-error">{failure}</span>
        {!isRefused && (
          <button type="button" className="form-small-button" aria-label={`Try ${file.name} again`} onClick={onRetry}>
            Try again
          </button>
        )}
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
