import { IconCloudCheck, IconCloudOff } from "@tabler/icons-react";
import { notSavedYet } from "./note-words.ts";
import { useSaveQueue } from "./save-queue.ts";

/** In words, whether everything that was written here has reached the server. */
export function SavingState() {
  const { waiting, isStuck, isOnDevice } = useSaveQueue();
  return (
    <span role="status" className="saving-state" data-stuck={isStuck || undefined}>
      {isStuck && waiting > 0 && (
        <>
          <IconCloudOff size={16} stroke={1.7} aria-hidden />
          {notSavedYet(waiting, isOnDevice)}
        </>
      )}
      {!isStuck && waiting > 0 && "Saving"}
      {waiting === 0 && (
        <>
          <IconCloudCheck size={16} stroke={1.7} aria-hidden />
          All saved
        </>
      )}
    </span>
  );
}
