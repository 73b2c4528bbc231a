import { IconCloudCheck, IconCloudOff } from "@tabler/icons-react";
import { useOutgoing } from "./save-queue.ts";

/** In words, whether everything that was written here has reached the server. */
export function SavingState() {
  const { waiting, isStuck } = useOutgoing();
  const things = waiting === 1 ? "1 change" : `${waiting} changes`;
  return (
    <span role="status" className="saving-state" data-stuck={isStuck || undefined}>
      {isStuck && waiting > 0 && (
        <>
          <IconCloudOff size={16} stroke={1.7} aria-hidden />
          Not saved yet: waiting for the network ({things}). Keep this page open.
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
