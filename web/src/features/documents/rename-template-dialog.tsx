import { renameTemplateSchema, type Template, TEMPLATE_NAME_MAX_LENGTH } from "@app/shared/document-templates";
import { TextInput } from "@mantine/core";
import { api } from "../../core/api.ts";
import { Loaded } from "../../core/loaded.tsx";
import { RecordFormFoot, useRecordEditor } from "../../core/record-editor.tsx";
import { validateWith } from "../../core/validate.ts";
import { VersionedForm } from "../../core/versioned-form.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { plainFields } from "../../ui/version-fields.ts";

interface Props {
  templateId: string;
  onClose: () => void;
}

export function RenameTemplateDialog({ templateId, onClose }: Props) {
  const query = api.documentTemplates.get.useQuery({ id: templateId });
  return (
    <Dialog isOpen onClose={onClose} title="Rename template">
      <Loaded query={query} failureTitle="This template could not be read">
        {(template) => <RenameForm template={template} onClose={onClose} />}
      </Loaded>
    </Dialog>
  );
}

const FIELDS = plainFields<{ name: string }>({ name: "Name" });
const nameSchema = renameTemplateSchema.pick({ name: true });

function RenameForm({ template, onClose }: { template: Template; onClose: () => void }) {
  const utils = api.useUtils();
  const renaming = api.documentTemplates.rename.useMutation();
  const form = useRecordEditor<{ name: string }, Template>({
    record: template,
    fields: FIELDS,
    valuesOf: ({ name }) => ({ name }),
    validate: validateWith(nameSchema),
    read: () => utils.documentTemplates.get.fetch({ id: template.id }, { staleTime: 0 }),
    save: ({ name }, version) => renaming.mutateAsync({ id: template.id, version, name }),
    onSaved: () => {
      void utils.documentTemplates.invalidate();
      onClose();
    },
  });
  return (
    <VersionedForm form={form} what="template">
      <TextInput label="Name" maxLength={TEMPLATE_NAME_MAX_LENGTH} {...form.field("name")} />
      <RecordFormFoot submitLabel="Rename" isSaving={form.isSaving} onCancel={onClose} />
    </VersionedForm>
  );
}
