import { DOCUMENT_KINDS } from "@app/shared/document-kind-list";
import { DOCUMENT_KIND_NAMES, isWritten } from "@app/shared/document-kinds";
import { type CreateTemplate, createTemplateSchema, TEMPLATE_NAME_MAX_LENGTH } from "@app/shared/document-templates";
import { Button, FileInput, NativeSelect, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { Form } from "../../core/form.tsx";
import { useNewRecord } from "../../core/record-editor.tsx";
import { validateWith } from "../../core/validate.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { LeftOut } from "./left-out.tsx";
import { sendWord } from "./send-word.ts";

interface Made {
  id: string;
  /** Of a Word document that it was made of. */
  left: readonly string[];
}

/** A blank template, or one of a Word document; one that is like another is begun with Copy. */
export function NewTemplateDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const utils = api.useUtils();
  const [file, setFile] = useState<File | null>(null);
  const [made, setMade] = useState<Made | null>(null);
  const make = useMaking(file);
  const open = ({ id }: Made) =>
    void navigate({ to: "/settings/documents/edit/$id", params: { id }, ignoreBlocker: true });
  const form = useNewRecord<CreateTemplate, Made>({
    initialValues: { name: "", kind: "letter" },
    validate: validateWith(createTemplateSchema),
    create: make,
    onCreated(created) {
      void utils.documentTemplates.list.invalidate();
      if (created.left.length > 0) setMade(created);
      else open(created);
    },
  });
  const { kind } = form.values;
  if (made)
    return (
      <Dialog
        isOpen
        onClose={() => open(made)}
        title="Made of a Word document"
        footer={<Button onClick={() => open(made)}>Open the template</Button>}
      >
        <LeftOut left={made.left} />
      </Dialog>
    );
  return (
    <Dialog isOpen onClose={onClose} title="New template" isDirty={file !== null}>
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
          <FileInput
            label="From Word (optional)"
            description="A document that ends in .docx: the template begins with what it says."
            placeholder="Choose a file"
            accept=".docx"
            clearable
            value={file}
            onChange={setFile}
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

/** Where the Word document is refused, the template is there and blank, and another one can be chosen for it. */
function useMaking(file: File | null) {
  const creating = api.documentTemplates.create.useMutation();
  const saving = api.documentTemplates.save.useMutation();
  return async (values: CreateTemplate, id: string): Promise<Made> => {
    const after = await creating.mutateAsync({ ...values, id });
    if (!file) return { id: after.id, left: [] };
    const { content, left } = await sendWord(after.id, file);
    await saving.mutateAsync({ id: after.id, version: after.version, name: after.name, content });
    return { id: after.id, left };
  };
}
