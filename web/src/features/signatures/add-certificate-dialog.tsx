import { CERTIFICATE_FILE_MAX_BYTES } from "@app/shared/signatures";
import { FileInput, Stack } from "@mantine/core";
import { api } from "../../core/api.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { notify } from "../../core/notify.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { PasswordField } from "../../ui/password-field.tsx";

interface Values {
  file: File | null;
  password: string;
}

const EMPTY: Values = { file: null, password: "" };

/** Adds the practice's own certificate: the server reads it, and says what is wrong with one that cannot seal. */
export function AddCertificateDialog({ onClose }: { onClose: () => void }) {
  const utils = api.useUtils();
  const add = api.signatures.certificate.add.useMutation();
  const form = useServerForm({
    initialValues: EMPTY,
    validate: ({ file }) => {
      if (!file) return { file: "Choose the .p12 or .pfx file" };
      return file.size > CERTIFICATE_FILE_MAX_BYTES ? { file: "This file is larger than any certificate" } : {};
    },
    submit: async ({ file, password }) => {
      if (!file) return;
      await add.mutateAsync({ file: await base64Of(file), password });
      await utils.signatures.certificate.invalidate();
      notify("Documents are sealed by this certificate from now on");
      onClose();
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title="Certificate to seal with" size="form" isDirty={form.isDirty()}>
      <Form form={form} label="Certificate">
        <Stack gap="lg">
          <p className="quiet-text">
            A certificate for signing or sealing documents, with its private key, as its issuer gave it to your
            practice. It is kept encrypted here, and its password is not kept.
          </p>
          <FileInput
            label="File (.p12 or .pfx)"
            placeholder="Choose a file"
            accept=".p12,.pfx,application/x-pkcs12"
            value={form.values.file}
            error={form.errors["file"]}
            onChange={(file) => form.setFieldValue("file", file)}
          />
          <PasswordField label="Password of the file" autoComplete="off" {...form.field("password")} />
          <FormFoot isSaving={form.isSaving}>Seal with it</FormFoot>
        </Stack>
      </Form>
    </Dialog>
  );
}

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}
