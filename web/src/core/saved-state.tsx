import { Button } from "@mantine/core";
import { IconCloudOff } from "@tabler/icons-react";
import { useFormats } from "./format.ts";
import "./saved-state.css";

interface Saved {
  newer: { isDirty: boolean; isSaving: boolean };
  /** Why it could not be saved; null where it could. */
  failure: string | null;
  /** It was changed elsewhere, and the person chooses between both. */
  mustChoose: boolean;
  savedAt: string;
  save: () => Promise<unknown>;
}

interface Props {
  saved: Saved;
  /** Why it cannot be changed; null where it can. */
  closed: string | null;
}

/** In words, whether what stands on the screen has reached the server. */
export function SavedState({ saved, closed }: Props) {
  const formats = useFormats();
  const { newer, failure, mustChoose } = saved;
  if (closed !== null) return <span className="saved-state">{closed}</span>;
  if (failure !== null || mustChoose)
    return (
      <span className="saved-state" data-stuck>
        <IconCloudOff size={16} stroke={1.7} aria-hidden />
        <span role="alert">{mustChoose ? "Not saved: it was changed elsewhere" : `Not saved: ${failure}`}</span>
        <Button size="xs" variant="default" onClick={() => void saved.save()}>
          {mustChoose ? "Choose" : "Try again"}
        </Button>
      </span>
    );
  return (
    <span role="status" className="saved-state">
      {newer.isDirty || newer.isSaving ? "Saving" : `Saved ${formats.time(saved.savedAt)}`}
    </span>
  );
}
