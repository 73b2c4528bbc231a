import type { Contact, CreateContact } from "@app/shared/contacts";
import { api } from "../../core/api.ts";
import { Form } from "../../core/form.tsx";
import { notify } from "../../core/notify.ts";
import { RecordFormFoot, useNewRecord } from "../../core/record-editor.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { withoutEmptyRows } from "../people/reach-values.ts";
import { ContactFields } from "./contact-fields.tsx";
import { EMPTY_CONTACT, validateContact } from "./contact-record.ts";

interface Props {
  onClose: () => void;
  onAdded: (contact: Contact) => void;
}

/** Adds somebody, and then shows them. */
export function ContactAdder(props: Props) {
  return (
    <Dialog isOpen onClose={props.onClose} title="Add contact" size="form">
      <NewContactForm {...props} />
    </Dialog>
  );
}

function NewContactForm({ onClose, onAdded }: Props) {
  const utils = api.useUtils();
  const create = api.contacts.create.useMutation();
  const form = useNewRecord<CreateContact, Contact>({
    initialValues: EMPTY_CONTACT,
    validate: validateContact,
    create: (contact, id) => create.mutateAsync({ id, ...withoutEmptyRows(contact) }),
    onCreated(created) {
      utils.contacts.get.setData({ id: created.id }, created);
      void utils.contacts.list.invalidate();
      notify(`${created.displayName} added`);
      onAdded(created);
    },
  });
  return (
    <Form form={form} label="Contact">
      <ContactFields form={form} />
      <RecordFormFoot submitLabel="Add contact" isSaving={form.isSaving} onCancel={onClose} />
    </Form>
  );
}
