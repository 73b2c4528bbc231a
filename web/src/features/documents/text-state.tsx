import { Button } from "@mantine/core";
import { IconCloudOff } from "@tabler/icons-react";
import { useFormats } from "../../core/format.ts";
import type { SavedText } from "./use-saved-text.ts";

interface Props {
  saved: SavedText;
  /** Why it cannot be changed; null where it can. */
  closed: string | null;
}

/** In words, whether what stands on the screen has reached the server. */
export function TextState({ saved, closed }: Props) {
  const formats = useFormats();
  const { newer, failure, mustChoose } = saved;
  if (closed !== null) return <span className="text-state">{closed}</span>;
  if (failure !== null || mustChoose)
    return (
      <span className="text-state" data-stuck>
        <IconCloudOff size={16} stroke={1.7} aria-hidden />
        <span role="alert">{mustChoose ? "Not saved: it was changed elsewhere" : `Not saved: ${failure}`}</span>
        <Button size="xs" variant="default" onClick={() => void saved.save()}>
          {mustChoose ? "Choose" : "Try again"}
        </Button>
      </span>
    );
  return (
    <span role="status" className="text-state">
      {newer.isDirty || newer.isSaving ? "Saving" : `Saved ${formats.time(saved.savedAt)}`}
    </span>
  );
}
