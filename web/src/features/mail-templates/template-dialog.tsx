import type { MailTemplate } from "@app/shared/mail-templates";
import { EMPTY_RICH_TEXT, type RichText } from "@app/shared/rich-text";
import { Button, Group, Input, Skeleton, Stack, TextInput } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { api } from "../../core/api.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { notify } from "../../core/notify.ts";
import { Dialog } from "../../ui/dialog.tsx";

const ComposeEditor = lazy(async () => ({ default: (await import("../compose/compose-editor.tsx")).ComposeEditor }));

interface Props {
  /** Null for a new one. */
  template: MailTemplate | null;
  onClose: () => void;
}

export function TemplateDialog({ template, onClose }: Props) {
  const utils = api.useUtils();
  const create = api.mailTemplates.create.useMutation();
  const update = api.mailTemplates.update.useMutation();
  const [body, setBody] = useState<RichText | null>(template?.body ?? EMPTY_RICH_TEXT);
  const form = useServerForm({
    initialValues: { name: template?.name ?? "", subject: template?.subject ?? "", body: "" },
    validate: (): Record<string, string> => (body ? {} : { body: "This text is too long. Shorten it." }),
    submit: async ({ name, subject }, id) => {
      const fields = { name, subject, body: body ?? EMPTY_RICH_TEXT };
      if (template) await update.mutateAsync({ ...fields, id: template.id, version: template.version });
      else await create.mutateAsync({ id, ...fields });
      await utils.mailTemplates.invalidate();
      notify("Template saved");
      onClose();
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title={template ? "Edit template" : "New template"} size="form">
      <Form form={form} label="Template">
        <Stack gap="md">
          <TextInput label="Name" data-autofocus maxLength={80} {...form.field("name")} />
          <TextInput
            label="Subject"
            description="Neutral words are best: whoever sees the subject alone should learn nothing."
            maxLength={200}
            {...form.field("subject")}
          />
          <Suspense fallback={<Skeleton h={190} />}>
            <ComposeEditor
              initial={template?.body ?? EMPTY_RICH_TEXT}
              label="Text of the template"
              values={null}
              onChange={setBody}
            />
          </Suspense>
          {form.errors["body"] && <Input.Error>{form.errors["body"]}</Input.Error>}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={form.isSaving}>
              Save template
            </Button>
          </Group>
        </Stack>
      </Form>
    </Dialog>
  );
}
