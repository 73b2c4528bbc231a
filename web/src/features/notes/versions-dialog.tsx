import { can } from "@app/shared/access";
import type { Note, NoteVersion } from "@app/shared/notes";
import { PAGE_SIZE } from "@app/shared/product";
import { Button } from "@mantine/core";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { useFormats } from "../../core/format.ts";
import { Loaded } from "../../core/loaded.tsx";
import { makeId } from "../../core/new-id.ts";
import { notify, notifyError } from "../../core/notify.ts";
import { useCurrentUser } from "../../core/session.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Pager } from "../../ui/pager.tsx";
import { RichTextView } from "../../ui/rich-text-view.tsx";

export function VersionsDialog({ note, onClose }: { note: Note; onClose: () => void }) {
  const [page, setPage] = useState(1);
  const query = api.notes.listVersions.useQuery({ id: note.id, page });
  return (
    <Dialog isOpen onClose={onClose} title="Earlier versions" size="form">
      <Loaded query={query} failureTitle="The versions could not be read">
        {({ items, total }) => (
          <>
            {total === 0 && (
              <EmptyState title="There is no earlier version" order={3}>
                <p>A version is kept when the note is changed more than 5 minutes later, or by somebody else.</p>
              </EmptyState>
            )}
            {items.map((version) => (
              <Version key={version.version} note={note} version={version} onRestored={onClose} />
            ))}
            {total > PAGE_SIZE && (
              <Pager page={page} pageSize={PAGE_SIZE} total={total} words={["version", "versions"]} onPage={setPage} />
            )}
          </>
        )}
      </Loaded>
    </Dialog>
  );
}

function Version({ note, version, onRestored }: { note: Note; version: NoteVersion; onRestored: () => void }) {
  const utils = api.useUtils();
  const user = useCurrentUser();
  const formats = useFormats();
  const restore = api.notes.restoreVersion.useMutation({ onSettled: () => utils.notes.invalidate() });
  async function bringBack() {
    try {
      await restore.mutateAsync({ id: note.id, version: note.version, restored: version.version, saveId: makeId() });
      notify("The earlier text is back. The one it replaced is kept as a version.");
      onRestored();
    } catch (error) {
      notifyError(messageOf(error));
    }
  }
  return (
    <section className="note-version" aria-label={`Version of ${formats.dateTime(version.savedAt)}`}>
      <header className="note-version-head">
        <span>
          {version.savedByName}, <span className="tabular">{formats.dateTime(version.savedAt)}</span>
        </span>
        {can(user, "clients.write") && !note.isLocked && note.consent === null && (
          <Button size="xs" variant="default" loading={restore.isPending} onClick={() => void bringBack()}>
            Bring this text back
          </Button>
        )}
      </header>
      <RichTextView doc={version.body} />
    </section>
  );
}
