import type { Case } from "@app/shared/cases";
import type { Note } from "@app/shared/notes";
import { ActionIcon, Button, Menu } from "@mantine/core";
import { IconDots, IconEyeOff, IconHistory, IconPencil, IconPin, IconPinnedOff, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { makeId } from "../../core/new-id.ts";
import { notify, notifyError } from "../../core/notify.ts";
import { NarrowDialog } from "./narrow-dialog.tsx";
import { VersionsDialog } from "./versions-dialog.tsx";

const icon = { size: 16, stroke: 1.7, "aria-hidden": true } as const;

interface Props {
  note: Note;
  theCase: Case | null;
  onEdit: () => void;
  /** Editing stands in the menu too. */
  isCompact?: boolean;
}

export function NoteActions({ note, theCase, onEdit, isCompact = false }: Props) {
  const { pin, discard } = useNoteActions(note);
  const mayEdit = !note.isLocked && note.consent === null;
  const [open, setOpen] = useState<"versions" | "readers" | null>(null);
  return (
    <>
      {mayEdit && !isCompact && (
        <Button size="xs" variant="default" leftSection={<IconPencil {...icon} size={14} />} onClick={onEdit}>
          Edit
        </Button>
      )}
      <Menu>
        <Menu.Target>
          <ActionIcon
            variant={isCompact ? "subtle" : "default"}
            size={26}
            aria-label="More about this note"
            className="note-more"
          >
            <IconDots {...icon} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {isCompact && mayEdit && (
            <Menu.Item leftSection={<IconPencil {...icon} />} onClick={onEdit}>
              Edit
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconHistory {...icon} />} onClick={() => setOpen("versions")}>
            Earlier versions
          </Menu.Item>
          {!note.isLocked && (
            <>
              <Menu.Item
                leftSection={note.isPinned ? <IconPinnedOff {...icon} /> : <IconPin {...icon} />}
                onClick={() => void pin()}
              >
                {note.isPinned ? "Unpin" : "Pin to the top"}
              </Menu.Item>
              {note.visibility.scope !== "mediator" && (
                <Menu.Item leftSection={<IconEyeOff {...icon} />} onClick={() => setOpen("readers")}>
                  Show to fewer people
                </Menu.Item>
              )}
              <Menu.Item color="red" leftSection={<IconTrash {...icon} />} onClick={() => void discard()}>
                Delete
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {open === "versions" && <VersionsDialog note={note} onClose={() => setOpen(null)} />}
      {open === "readers" && <NarrowDialog note={note} theCase={theCase} onClose={() => setOpen(null)} />}
    </>
  );
}

/** Pins a note, and deletes it with a way to undo that at once. */
function useNoteActions(note: Note) {
  const utils = api.useUtils();
  const refresh = { onSettled: () => utils.notes.invalidate() };
  const update = api.notes.update.useMutation(refresh);
  const remove = api.notes.remove.useMutation(refresh);
  const restore = api.notes.restore.useMutation(refresh);

  async function attempt(work: () => Promise<unknown>) {
    try {
      await work();
    } catch (error) {
      notifyError(messageOf(error));
    }
  }
  return {
    pin: () =>
      attempt(() =>
        update.mutateAsync({ id: note.id, version: note.version, saveId: makeId(), isPinned: !note.isPinned }),
      ),
    discard: () =>
      attempt(async () => {
        await remove.mutateAsync({ id: note.id });
        const undo = () => void attempt(() => restore.mutateAsync({ id: note.id }));
        // What was released and taken away is released anew, and not brought back.
        notify("Note deleted", note.consent ? undefined : { label: "Undo", onAct: undo });
      }),
  };
}
