import type { Client, CreateClient } from "@app/shared/clients";
import { useRef, useState } from "react";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { useFormats } from "../../core/format.ts";
import { notify, notifyError } from "../../core/notify.ts";
import { NewerVersionDialog } from "../../ui/newer-version-dialog.tsx";
import { PageGrid } from "../../ui/page-grid.tsx";
import { compareVersions, editableOf, resolveConflict } from "./client-versions.ts";
import { ClientForm } from "./client-form.tsx";

interface Conflict {
  current: Client;
  mine: CreateClient;
}

const ADDRESS_ROWS = 2;

/** An address always has its two rows on the screen. */
function formValues(client: Client): CreateClient {
  const values = editableOf(client);
  const lines = Array.from(
    { length: Math.max(ADDRESS_ROWS, values.address.lines.length) },
    (_, row) => values.address.lines[row] ?? "",
  );
  return { ...values, address: { ...values.address, lines } };
}

/** Changes a client; where somebody else saved in the meantime, both versions are shown and the person chooses. */
export function ClientEditor({ client, onLeave }: { client: Client; onLeave: () => void }) {
  const utils = api.useUtils();
  const update = api.clients.update.useMutation();
  const formats = useFormats();
  // What was on the screen when the editing began; a newer answer of the server must not hide a conflict.
  const [base] = useState(client);
  const isSaved = useRef(false);
  const [conflict, setConflict] = useState<Conflict | null>(null);

  function finish(stored: Client, message: string) {
    isSaved.current = true;
    utils.clients.get.setData({ id: stored.id }, stored);
    void utils.clients.list.invalidate();
    notify(message);
    onLeave();
  }

  async function save(mine: CreateClient, atVersion: number): Promise<void> {
    const result = await update.mutateAsync({ id: base.id, version: atVersion, client: mine });
    if (result.outcome === "saved") finish(result.client, `${result.client.displayName} saved`);
    else setConflict({ current: result.current, mine });
  }

  async function saveChoice(choices: Record<string, "theirs" | "mine">) {
    if (!conflict) return;
    try {
      const chosen = resolveConflict(editableOf(conflict.current), conflict.mine, choices);
      await save(chosen, conflict.current.version);
    } catch (error) {
      notifyError(messageOf(error));
    }
  }

  return (
    <PageGrid main="text">
      <ClientForm
        initialValues={formValues(base)}
        submitLabel="Save"
        isSaved={isSaved}
        onCancel={onLeave}
        onSubmit={(mine) => save(mine, base.version)}
      />
      {conflict && (
        <NewerVersionDialog
          // Choices are made between two versions; with a third one they are asked for again.
          key={conflict.current.version}
          isOpen
          what="client"
          theirs={{ name: conflict.current.updatedByName, savedAt: formats.time(conflict.current.updatedAt) }}
          {...compareVersions(editableOf(conflict.current), conflict.mine)}
          isSaving={update.isPending}
          onKeepTheirs={() =>
            finish(conflict.current, `Your changes were left out; ${conflict.current.updatedByName}’s version stands`)
          }
          // The version stays the old one, so that the next save shows both again instead of undoing theirs.
          onBack={() => setConflict(null)}
          onSave={(choices) => void saveChoice(choices)}
        />
      )}
    </PageGrid>
  );
}
