import { Stack, TextInput } from "@mantine/core";
import { apiClient } from "../../core/api-client.ts";
import { fieldErrorsOf } from "../../core/errors.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { checkSession, useCurrentUser } from "../../core/session.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { PasswordField } from "../../ui/password-field.tsx";

/** Password, and the code of whoever has a second factor. */
export function ConfirmIdentityDialog({ onAnswer }: { onAnswer: (isConfirmed: boolean) => void }) {
  const { userEmail, isTwoFactorOn } = useCurrentUser();
  const form = useServerForm({
    initialValues: { password: "", code: "" },
    submit: async ({ password, code }) => {
      try {
        await apiClient.auth.confirmIdentity.mutate({ password, ...(isTwoFactorOn ? { code } : {}) });
      } catch (error) {
        // Switched on in another window: then there is a field for the code.
        if (!isTwoFactorOn && fieldErrorsOf(error)["code"]) await checkSession({ isFresh: true });
        throw error;
      }
      onAnswer(true);
    },
  });
  return (
    <Dialog isOpen onClose={() => onAnswer(false)} title="Confirm that it is you">
      <Form form={form}>
        {/* Lets a password manager know whose password this is. */}
        <input type="email" autoComplete="username" value={userEmail} readOnly hidden />
        <Stack gap="lg">
          <span>
            You last entered your password more than ten minutes ago, and this needs it again. What you were doing goes
            on by itself after that.
          </span>
          <PasswordField label="Password" autoComplete="current-password" {...form.field("password")} />
          {isTwoFactorOn && (
            <TextInput
              label="Code"
              description="Six digits of your authenticator app, or a recovery code"
              autoComplete="one-time-code"
              autoCapitalize="characters"
              spellCheck={false}
              {...form.field("code")}
            />
          )}
          <FormFoot isSaving={form.isSaving}>Confirm</FormFoot>
        </Stack>
      </Form>
    </Dialog>
  );
}
