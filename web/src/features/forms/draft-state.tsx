import { Button } from "@mantine/core";
import { IconCloudOff } from "@tabler/icons-react";
import { useFormats } from "../../core/format.ts";
import { useBuilderContext } from "./builder-context.ts";

/** In words, whether what stands on the screen has reached the server. */
export function DraftState() {
  const { saved, isReadOnly } = useBuilderContext();
  const formats = useFormats();
  const { newer, failure, mustChoose } = saved;
  if (isReadOnly) return <span className="draft-state">Archived</span>;
  if (failure !== null || mustChoose) {
    return (
      <span className="draft-state" data-stuck>
        <IconCloudOff size={16} stroke={1.7} aria-hidden />
        <span role="alert">{mustChoose ? "Not saved: it was changed elsewhere" : `Not saved: ${failure}`}</span>
        <Button size="xs" variant="default" onClick={() => void saved.save()}>
          {mustChoose ? "Choose" : "Try again"}
        </Button>
      </span>
    );
  }
  return (
    <span role="status" className="draft-state">
      {newer.isDirty || newer.isSaving ? "Saving" : `Saved ${formats.time(saved.savedAt)}`}
    </span>
  );
}
