import { Button } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import { apiClient } from "../../core/api-client.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { checkSession } from "../../core/session.ts";
import { useSession } from "../../core/session-state.ts";
import { useTitle } from "../../core/title.ts";
import { CheckField } from "../../ui/check-field.tsx";
import { PasswordField } from "../../ui/password-field.tsx";
import { EmailField } from "./email-field.tsx";
import { LoginHead } from "./login-head.tsx";
import { SecondFactorForm } from "./second-factor-form.tsx";
import { useEnter } from "./use-enter.ts";

interface Props {
  /** Where the person wanted to go. */
  redirect: string | undefined;
}

export function SignInPage({ redirect }: Props) {
  useTitle("Sign in");
  const { status } = useSession();
  if (status?.isSecondFactorPending) return <SecondFactorForm redirect={redirect} />;
  return <SignInForm redirect={redirect} canRegister={status?.isRegistrationAllowed ?? false} />;
}

function SignInForm({ redirect, canRegister }: Props & { canRegister: boolean }) {
  const enter = useEnter(redirect);
  const navigate = useNavigate();
  const form = useServerForm({
    initialValues: { email: "", password: "", isRemembered: false },
    submit: async (values) => {
      const { next } = await apiClient.auth.signIn.mutate(values);
      if (next === "done") return enter();
      await checkSession({ isFresh: true });
      await navigate({ to: "/login", search: redirect ? { redirect } : {} });
    },
  });
  return (
    <div className="login-narrow">
      <LoginHead title="Sign in" />
      <Form form={form} className="login-fields">
        <EmailField {...form.field("email")} />
        <PasswordField label="Password" size="md" autoComplete="current-password" {...form.field("password")} />
        <CheckField
          label="Keep me signed in on this device for 14 days"
          checked={form.values.isRemembered}
          onChange={form.field("isRemembered").onChange}
        />
        <Button type="submit" size="md" fullWidth loading={form.isSaving}>
          Sign in
        </Button>
      </Form>
      <div className="login-links">
        <Link to="/resetpassword" className="login-link">
          Forgotten your password?
        </Link>
        {canRegister && (
          <Link to="/register" className="login-link">
            Register a practice
          </Link>
        )}
      </div>
    </div>
  );
}
