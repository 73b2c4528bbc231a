import type { Contact, CreateContact } from "@app/shared/contacts";
import { api } from "../../core/api.ts";
import { notify } from "../../core/notify.ts";
import { RecordFormFoot, useRecordEditor } from "../../core/record-editor.tsx";
import { VersionedForm } from "../../core/versioned-form.tsx";
import { withoutEmptyRows } from "../people/reach-values.ts";
import { ContactFields } from "./contact-fields.tsx";
import { CONTACT_FIELDS, contactValues, validateContact } from "./contact-record.ts";

export function ContactEditor({ contact, onLeave }: { contact: Contact; onLeave: () => void }) {
  const utils = api.useUtils();
  const update = api.contacts.update.useMutation();
  const form = useRecordEditor<CreateContact, Contact>({
    record: contact,
    fields: CONTACT_FIELDS,
    valuesOf: contactValues,
    validate: validateContact,
    read: () => utils.contacts.get.fetch({ id: contact.id }, { staleTime: 0 }),
    save: (values, version) => update.mutateAsync({ id: contact.id, version, contact: withoutEmptyRows(values) }),
    onSaved(saved) {
      utils.contacts.get.setData({ id: saved.id }, saved);
      void Promise.all([utils.contacts.list.invalidate(), utils.contacts.ofCase.invalidate()]);
      notify(`${saved.displayName} saved`);
      onLeave();
    },
  });
  return (
    <VersionedForm form={form} what="contact" label="Contact">
      <ContactFields form={form} />
      <RecordFormFoot submitLabel="Save" isSaving={form.newer.isSaving} onCancel={onLeave} />
    </VersionedForm>
  );
}
