import { sizeText } from "@app/shared/files";
import { ActionIcon, Button, Progress } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import type { UploadState } from "./upload.ts";

interface Props {
  uploads: readonly UploadState[];
  onStop: (id: string) => void;
  onClear: () => void;
}

/** What is being sent and what became of it. */
export function UploadList({ uploads, onStop, onClear }: Props) {
  if (uploads.length === 0) return null;
  const isOver = uploads.every(({ status }) => status !== "waiting" && status !== "sending");
  return (
    <div className="uploads" aria-live="polite">
      <ul>
        {uploads.map(({ id, name, sentBytes, totalBytes, status, failure }) => {
          const isRunning = status === "sending" || status === "waiting";
          return (
            <li key={id}>
              <span className="upload-name">{name}</span>
              {isRunning ? (
                <>
                  <Progress
                    size={4}
                    value={totalBytes > 0 ? (sentBytes / totalBytes) * 100 : 0}
                    aria-label={`Sending ${name}`}
                    className="upload-progress"
                  />
                  <span className="tabular">
                    {sizeText(sentBytes)} of {sizeText(totalBytes)}
                  </span>
                  <ActionIcon variant="subtle" size={26} aria-label={`Stop sending ${name}`} onClick={() => onStop(id)}>
                    <IconX size={14} stroke={1.7} />
                  </ActionIcon>
                </>
              ) : (
                <span data-failed={status === "failed" || undefined}>{status === "done" ? "Kept" : failure}</span>
              )}
            </li>
          );
        })}
      </ul>
      {isOver && (
        <Button size="xs" variant="subtle" onClick={onClear}>
          Clear this list
        </Button>
      )}
    </div>
  );
}
