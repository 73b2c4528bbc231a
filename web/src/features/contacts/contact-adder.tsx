import type { Contact } from "@app/shared/contacts";
import { useRef } from "react";
import { api } from "../../core/api.ts";
import { notify } from "../../core/notify.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { ContactForm, EMPTY_CONTACT } from "./contact-form.tsx";

interface Props {
  onClose: () => void;
  onAdded: (contact: Contact) => void;
}

/** Adds somebody, and then shows them. */
export function ContactAdder({ onClose, onAdded }: Props) {
  const utils = api.useUtils();
  const create = api.contacts.create.useMutation();
  const isSaved = useRef(false);
  return (
    <Dialog isOpen onClose={onClose} title="Add contact" size="form">
      <ContactForm
        initialValues={EMPTY_CONTACT}
        submitLabel="Add contact"
        isSaved={isSaved}
        onCancel={onClose}
        onSubmit={async (contact, id) => {
          const created = await create.mutateAsync({ id, ...contact });
          isSaved.current = true;
          utils.contacts.get.setData({ id: created.id }, created);
          void utils.contacts.list.invalidate();
          notify(`${created.displayName} added`);
          onAdded(created);
        }}
      />
    </Dialog>
  );
}
