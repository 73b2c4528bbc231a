import type { StoredFile } from "@app/shared/files";
import { Button, Group, Stack, TextInput } from "@mantine/core";
import { api } from "../../core/api.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { notify } from "../../core/notify.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { VisibilityPicker } from "../visibility/visibility-picker.tsx";
import type { NamedParty } from "../visibility/visibility-words.ts";

interface Props {
  file: StoredFile;
  parties: readonly NamedParty[];
  onClose: () => void;
}

export function EditFileDialog({ file, parties, onClose }: Props) {
  const utils = api.useUtils();
  const update = api.files.update.useMutation();
  const form = useServerForm({
    initialValues: { name: file.name, tags: file.tags.join(", "), visibility: file.visibility },
    submit: async ({ tags, ...values }) => {
      const list = tags.split(",").map((tag) => tag.trim());
      await update.mutateAsync({ ...values, id: file.id, version: file.version, tags: list.filter(Boolean) });
      await utils.files.invalidate();
      notify(`${values.name} is saved`);
      onClose();
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title={file.name} size="form">
      <Form form={form} label="File">
        <Stack gap="lg">
          <TextInput label="Name" maxLength={200} {...form.field("name")} />
          <TextInput label="Tags (optional)" description="Separated by commas" {...form.field("tags")} />
          <VisibilityPicker
            parties={parties}
            value={form.values.visibility}
            kept={file.visibility}
            onChange={(visibility) => form.setFieldValue("visibility", visibility)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Go back
            </Button>
            <Button type="submit" loading={form.isSaving}>
              Save
            </Button>
          </Group>
        </Stack>
      </Form>
    </Dialog>
  );
}
