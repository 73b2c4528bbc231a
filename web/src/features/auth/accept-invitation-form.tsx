import type { Invitation } from "@app/shared/auth";
import { Button, TextInput } from "@mantine/core";
import { apiClient } from "../../core/api-client.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { forgetSession } from "../../core/session-state.ts";
import { NewPasswordField } from "../../ui/password-field.tsx";
import { LoginHead } from "./login-head.tsx";
import { useEnter } from "./use-enter.ts";

interface Props {
  token: string;
  invitation: Invitation;
}

export function AcceptInvitationForm({ token, invitation }: Props) {
  const { email, firstName, lastName, practiceName } = invitation;
  const enter = useEnter();
  const form = useServerForm({
    initialValues: { firstName, lastName, password: "" },
    submit: async (values) => {
      await apiClient.auth.acceptInvitation.mutate({ token, ...values });
      // Whoever was signed in here before is not any more.
      forgetSession();
      await enter();
    },
  });
  return (
    <div className="login-narrow">
      <LoginHead title={`Join ${practiceName}`} name={practiceName}>
        Check your name and choose a password.
      </LoginHead>
      <Form form={form} className="login-fields">
        <TextInput label="Email address" size="md" value={email} readOnly autoComplete="username" />
        <TextInput label="First name" size="md" autoComplete="given-name" {...form.field("firstName")} />
        <TextInput label="Last name" size="md" autoComplete="family-name" {...form.field("lastName")} />
        <NewPasswordField {...form.field("password")} />
        <Button type="submit" size="md" fullWidth loading={form.isSaving}>
          Join the practice
        </Button>
      </Form>
    </div>
  );
}
