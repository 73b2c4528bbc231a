import type { MailTemplate, TemplateRow } from "@app/shared/mail-templates";
import { EMPTY_RICH_TEXT, plainText } from "@app/shared/rich-text";
import { api } from "../../core/api.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { Loaded } from "../../core/loaded.tsx";
import { notify } from "../../core/notify.ts";
import { useVersionedForm, VersionedForm } from "../../core/versioned-form.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { plainFields } from "../../ui/version-fields.ts";
import { checkTemplate, TemplateFields, type TemplateValues, writtenOf } from "./template-fields.tsx";

interface Props {
  /** Null for a new one. */
  template: TemplateRow | null;
  onClose: () => void;
}

export const TemplateDialog = ({ template, onClose }: Props) => (
  <Dialog isOpen onClose={onClose} title={template ? "Edit template" : "New template"} size="form">
    {template ? <StoredForm id={template.id} onClose={onClose} /> : <NewForm onClose={onClose} />}
  </Dialog>
);

const recordOf = ({ name, subject, body, version }: MailTemplate) => ({ values: { name, subject, body }, version });

const FIELDS = plainFields<TemplateValues>(
  { name: "Name", subject: "Subject", body: "Text" },
  { body: (body) => plainText(body ?? EMPTY_RICH_TEXT) },
);

/** Tells the page of what was saved, and closes. */
function useSaved(onClose: () => void) {
  const utils = api.useUtils();
  return async () => {
    await utils.mailTemplates.invalidate();
    notify("Template saved");
    onClose();
  };
}

function NewForm({ onClose }: { onClose: () => void }) {
  const saved = useSaved(onClose);
  const create = api.mailTemplates.create.useMutation();
  const form = useServerForm<TemplateValues>({
    initialValues: { name: "", subject: "", body: EMPTY_RICH_TEXT },
    validate: checkTemplate,
    submit: async (values, id) => {
      await create.mutateAsync({ id, ...writtenOf(values) });
      await saved();
    },
  });
  return (
    <Form form={form} label="Template">
      <TemplateFields form={form} />
    </Form>
  );
}

function StoredForm({ id, onClose }: { id: string; onClose: () => void }) {
  const query = api.mailTemplates.get.useQuery({ id }, { staleTime: 0, gcTime: 0 });
  return (
    <Loaded query={query} failureTitle="The template could not be read">
      {(template) => <EditForm template={template} onClose={onClose} />}
    </Loaded>
  );
}

function EditForm({ template, onClose }: { template: MailTemplate; onClose: () => void }) {
  const utils = api.useUtils();
  const saved = useSaved(onClose);
  const update = api.mailTemplates.update.useMutation();
  const form = useVersionedForm<TemplateValues>({
    fields: FIELDS,
    stored: recordOf(template),
    validate: checkTemplate,
    read: async () => recordOf(await utils.mailTemplates.get.fetch({ id: template.id }, { staleTime: 0 })),
    async send(values, version) {
      const stored = await update.mutateAsync({ ...writtenOf(values), id: template.id, version });
      await saved();
      return recordOf(stored);
    },
  });
  return (
    <VersionedForm form={form} what="template" label="Template">
      <TemplateFields form={form} />
    </VersionedForm>
  );
}
