import { Button, Group, Stack } from "@mantine/core";
import { api } from "../../core/api.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { notify } from "../../core/notify.ts";
import { useCurrentUser } from "../../core/session.ts";
import { PasswordField } from "../../ui/password-field.tsx";

export function ChangePasswordForm() {
  const { userEmail } = useCurrentUser();
  const utils = api.useUtils();
  const change = api.auth.changePassword.useMutation();
  const form = useServerForm({
    initialValues: { currentPassword: "", password: "" },
    submit: async (values) => {
      await change.mutateAsync(values);
      form.reset();
      await utils.auth.listDevices.invalidate();
      notify("Your password is changed. All your other devices were signed out.");
    },
  });
  return (
    <Form form={form}>
      {/* Lets a password manager know whose password this is. */}
      <input type="email" autoComplete="username" value={userEmail} readOnly hidden />
      <Stack gap="lg" pt="md" maw={350}>
        <PasswordField label="Password now" autoComplete="current-password" {...form.field("currentPassword")} />
        <PasswordField
          label="New password"
          description="At least 12 characters. Three or four words make a good one."
          autoComplete="new-password"
          {...form.field("password")}
        />
        <Group>
          <Button type="submit" variant="default" loading={form.isSaving}>
            Change password
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}
