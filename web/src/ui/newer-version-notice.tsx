import { Button } from "@mantine/core";
import { IconInfoCircle } from "@tabler/icons-react";
import { Panel } from "./panel.tsx";
import type { NewerVersion } from "./use-newer-version.ts";
import { later } from "./later.tsx";

const NewerVersionDialog = later(async () => (await import("./newer-version-dialog.tsx")).NewerVersionDialog);

interface Props {
  newer: NewerVersion;
  /** What is being edited: "practice". */
  what: string;
  /** Who saved the newer one, and when, as it is shown. */
  theirs?: { name: string; savedAt: string } | undefined;
  onFailure: (error: unknown) => void;
}

/** Says that what is typed here was changed elsewhere, and asks which is to stand where both changed the same. */
export function NewerVersionNotice({ newer, what, theirs, onFailure }: Props) {
  const { changed, clashes, isAsking, isDirty, isSaving, discard, choose, stopAsking } = newer;
  const clashing = clashes.map(({ label }) => label).join(", ");
  return (
    <>
      {isDirty && changed.length > 0 && (
        <div role="status">
          <Panel
            icon={<IconInfoCircle size={18} stroke={1.7} aria-hidden />}
            title={`This ${what} was changed elsewhere while you were editing: ${changed.join(", ")}.`}
            action={
              <Button size="xs" variant="default" onClick={discard}>
                Throw away my changes
              </Button>
            }
          >
            You see your own changes, which are not saved yet.
            {clashing && ` Changed in both places: ${clashing}. When you save, you choose which is to stand.`}
          </Panel>
        </div>
      )}
      {isAsking && clashes.length > 0 && (
        <NewerVersionDialog
          key={newer.version}
          isOpen
          what={what}
          {...(theirs ? { theirs } : {})}
          fields={clashes}
          isSaving={isSaving}
          onKeepTheirs={discard}
          onBack={stopAsking}
          onSave={(choices) => void choose(choices).catch(onFailure)}
        />
      )}
    </>
  );
}
