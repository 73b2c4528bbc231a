import { DOCUMENT_KINDS } from "@app/shared/document-kind-list";
import { DOCUMENT_KIND_NAMES, isWritten } from "@app/shared/document-kinds";
import { type CreateTemplate, createTemplateSchema, TEMPLATE_NAME_MAX_LENGTH } from "@app/shared/document-templates";
import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { api } from "../../core/api.ts";
import { Form } from "../../core/form.tsx";
import { useNewRecord } from "../../core/record-editor.tsx";
import { validateWith } from "../../core/validate.ts";
import { Dialog } from "../../ui/dialog.tsx";

/** A blank template; one that is like another is begun with Copy. */
export function NewTemplateDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const utils = api.useUtils();
  const creating = api.documentTemplates.create.useMutation();
  const form = useNewRecord<CreateTemplate, { id: string }>({
    initialValues: { name: "", kind: "letter" },
    validate: validateWith(createTemplateSchema),
    create: (values, id) => creating.mutateAsync({ ...values, id }),
    onCreated: ({ id }) => {
      void utils.documentTemplates.list.invalidate();
      void navigate({ to: "/settings/documents/edit/$id", params: { id }, ignoreBlocker: true });
    },
  });
  const { kind } = form.values;
  return (
    <Dialog isOpen onClose={onClose} title="New template">
      <Form form={form}>
        <div className="template-fields">
          <TextInput label="Name" maxLength={TEMPLATE_NAME_MAX_LENGTH} {...form.field("name")} />
          <NativeSelect
            label="Kind"
            description="It decides how documents made of it are marked, and for whom they can be."
            data={DOCUMENT_KINDS.filter(isWritten).map((value) => ({ value, label: DOCUMENT_KIND_NAMES[value] }))}
            value={kind}
            onChange={({ currentTarget }) =>
              form.setFieldValue("kind", DOCUMENT_KINDS.find((one) => one === currentTarget.value) ?? kind)
            }
          />
        </div>
        <div className="form-foot">
          <Button type="submit" loading={form.isSaving}>
            Make the template
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
