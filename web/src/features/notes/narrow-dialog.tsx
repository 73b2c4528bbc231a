import type { Case } from "@app/shared/cases";
import type { Note } from "@app/shared/notes";
import type { Visibility, VisibilityScope } from "@app/shared/visibility";
import { Button, Radio, Stack } from "@mantine/core";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { makeId } from "../../core/new-id.ts";
import { notify, notifyError } from "../../core/notify.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { BackButton } from "../../ui/form-foot.tsx";
import { NoteFrame } from "./note-frame.tsx";
import { namesOfParties } from "./note-words.ts";

const WORDS: Partial<Record<VisibilityScope, string>> = {
  mediator: "Only the mediators of the case and the owner",
  staff: "The practice team, and no party",
};

/** Takes readers away from a saved note. Nobody can be added to one: that is a release. */
export function NarrowDialog({ note, theCase, onClose }: { note: Note; theCase: Case | null; onClose: () => void }) {
  const utils = api.useUtils();
  const update = api.notes.update.useMutation({ onSettled: () => utils.notes.invalidate() });
  const [scope, setScope] = useState<"mediator" | "staff" | null>(null);
  const scopes = (["mediator", "staff"] as const).filter(
    (each) => each === "mediator" || note.visibility.scope !== "staff",
  );
  const visibility: Visibility | null = scope && { ...note.visibility, scope, partyIds: [] };

  async function save() {
    if (!visibility) return;
    try {
      await update.mutateAsync({ id: note.id, version: note.version, saveId: makeId(), visibility });
      notify("Shown to fewer people now");
      onClose();
    } catch (error) {
      notifyError(messageOf(error));
    }
  }

  const footer = (
    <>
      <BackButton />
      <Button disabled={!visibility} loading={update.isPending} onClick={() => void save()}>
        Show to fewer people
      </Button>
    </>
  );
  return (
    <Dialog isOpen onClose={onClose} title="Show to fewer people" footer={footer}>
      <Radio.Group
        label="From now on it is read by"
        value={scope}
        onChange={(value) => setScope(value === "staff" ? "staff" : "mediator")}
      >
        <Stack gap="sm" mt="xs" mb="md">
          {scopes.map((each) => (
            <Radio key={each} value={each} label={WORDS[each]} />
          ))}
        </Stack>
      </Radio.Group>
      {visibility && (
        <NoteFrame visibility={visibility} parties={namesOfParties(theCase)} label="How the note will be kept">
          <p className="note-body quiet-text">
            Whoever read it before keeps what they know. This cannot be widened again.
          </p>
        </NoteFrame>
      )}
    </Dialog>
  );
}
