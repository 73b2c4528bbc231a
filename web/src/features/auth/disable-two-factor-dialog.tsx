import { Button, Stack, TextInput } from "@mantine/core";
import { api } from "../../core/api.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { notify } from "../../core/notify.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { PasswordField } from "../../ui/password-field.tsx";

export function DisableTwoFactorDialog({ onClose }: { onClose: () => void }) {
  const disable = api.auth.disableTwoFactor.useMutation();
  const form = useServerForm({
    initialValues: { password: "", code: "" },
    submit: async (values) => {
      await disable.mutateAsync(values);
      notify("The second factor is off");
      onClose();
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title="Switch off the second factor">
      <Form form={form}>
        <Stack gap="lg">
          <span>Your password alone will then be enough to sign in, and your recovery codes stop working.</span>
          <PasswordField label="Password" autoComplete="current-password" {...form.field("password")} />
          <TextInput
            label="Code"
            description="Six digits, or a recovery code"
            autoComplete="one-time-code"
            {...form.field("code")}
          />
          <Button type="submit" color="red" loading={form.isSaving}>
            Switch off
          </Button>
        </Stack>
      </Form>
    </Dialog>
  );
}
