import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { apiClient } from "../../core/api-client.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { useSession } from "../../core/session-state.ts";
import { useTitle } from "../../core/title.ts";
import { AccountFields } from "./account-fields.tsx";
import { LoginHead } from "./login-head.tsx";
import { EMPTY_REGISTRATION, PracticeFields } from "./practice-fields.tsx";
import { useEnter } from "./use-enter.ts";

export function RegisterPage() {
  useTitle("Register a practice");
  const { status } = useSession();
  if (!status?.isRegistrationAllowed) return <Closed />;
  return <RegisterForm />;
}

function RegisterForm() {
  const enter = useEnter();
  const form = useServerForm({
    initialValues: EMPTY_REGISTRATION,
    submit: async (values) => {
      const { next, checkoutUrl } = await apiClient.auth.register.mutate(values);
      if (next === "checkout" && checkoutUrl) window.location.assign(checkoutUrl);
      else await enter();
    },
  });
  return (
    <div className="login-wide">
      <LoginHead title="Register a practice">
        You become its owner. Colleagues are invited from inside, so they do not register here.
      </LoginHead>
      <Form form={form} className="login-fields">
        <AccountFields form={form} />
        <PracticeFields form={form} />
        <Button type="submit" size="md" fullWidth loading={form.isSaving}>
          Register
        </Button>
      </Form>
      <div className="login-links">
        <Link to="/" className="login-link">
          Back to sign in
        </Link>
      </div>
    </div>
  );
}

function Closed() {
  return (
    <div className="login-narrow">
      <LoginHead title="Registration is closed">
        New practices cannot be registered on this installation. To join a practice that is here, ask its owner to
        invite you.
      </LoginHead>
      <div className="login-links">
        <Link to="/" className="login-link">
          Back to sign in
        </Link>
      </div>
    </div>
  );
}
