import type { Contact, CreateContact } from "@app/shared/contacts";
import { useRef, useState } from "react";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { useFormats } from "../../core/format.ts";
import { notify, notifyError } from "../../core/notify.ts";
import { NewerVersionDialog } from "../../ui/newer-version-dialog.tsx";
import { compareVersions, editableOf, resolveConflict } from "./contact-versions.ts";
import { ContactForm } from "./contact-form.tsx";

interface Conflict {
  current: Contact;
  mine: CreateContact;
}

/** An address always has its two rows on the screen. */
function formValues(contact: Contact): CreateContact {
  const { address, ...values } = editableOf(contact);
  const [first = "", second = "", ...more] = address.lines;
  return { ...values, address: { ...address, lines: [first, second, ...more] } };
}

/** Changes a contact; where somebody else saved in the meantime, both versions are shown and the person chooses. */
export function ContactEditor({ contact, onLeave }: { contact: Contact; onLeave: () => void }) {
  const utils = api.useUtils();
  const update = api.contacts.update.useMutation();
  const formats = useFormats();
  // What was on the screen when the editing began; a newer answer of the server must not hide a conflict.
  const [base] = useState(contact);
  const isSaved = useRef(false);
  const [conflict, setConflict] = useState<Conflict | null>(null);

  function finish(stored: Contact, message: string) {
    isSaved.current = true;
    utils.contacts.get.setData({ id: stored.id }, stored);
    void Promise.all([utils.contacts.list.invalidate(), utils.contacts.ofCase.invalidate()]);
    notify(message);
    onLeave();
  }

  async function save(mine: CreateContact, atVersion: number): Promise<void> {
    const result = await update.mutateAsync({ id: base.id, version: atVersion, contact: mine });
    if (result.outcome === "saved") finish(result.contact, `${result.contact.displayName} saved`);
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
    <>
      <ContactForm
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
          what="contact"
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
    </>
  );
}
