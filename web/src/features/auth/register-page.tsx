import type { RegisterResult } from "@app/shared/auth";
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { apiClient } from "../../core/api-client.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { useSession } from "../../core/session-state.ts";
import { useTitle } from "../../core/title.ts";
import { NewPasswordField } from "../../ui/password-field.tsx";
import { AccountFields } from "./account-fields.tsx";
import { LoginHead } from "./login-head.tsx";
import { EMPTY_REGISTRATION, PracticeFields } from "./practice-fields.tsx";
import { useEnter } from "./use-enter.ts";

/** Registers a practice; with the token of the mailed link, opens it. */
export function RegisterPage({ token }: { token: string | undefined }) {
  useTitle("Register a practice");
  const { status } = useSession();
  if (!status?.isRegistrationAllowed) return <Closed />;
  return token === undefined ? <RegisterForm isMailed={status.isMailConfigured} /> : <OpenPractice token={token} />;
}

/** The password is asked for here only where no link can be mailed. */
function RegisterForm({ isMailed }: { isMailed: boolean }) {
  const goOn = useGoOn();
  const [mailedTo, setMailedTo] = useState<string | null>(null);
  const form = useServerForm({
    initialValues: EMPTY_REGISTRATION,
    submit: async ({ password, ...values }) => {
      const result = await apiClient.auth.register.mutate(isMailed ? values : { ...values, password });
      if (result.next === "confirm") setMailedTo(values.email);
      else await goOn(result);
    },
  });
  if (mailedTo !== null) return <LookInYourMail email={mailedTo} />;
  return (
    <div className="login-wide">
      <LoginHead title="Register a practice">
        You become its owner. Colleagues are invited from inside, so they do not register here.
      </LoginHead>
      <Form form={form} className="login-fields">
        <AccountFields form={form} isWithoutPassword={isMailed} />
        <PracticeFields form={form} />
        <Button type="submit" size="md" fullWidth loading={form.isSaving}>
          Register
        </Button>
      </Form>
      <BackToSignIn />
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
      <BackToSignIn />
    </div>
  );
}

function useGoOn() {
  const enter = useEnter();
  return async ({ next, checkoutUrl }: RegisterResult) => {
    if (next === "checkout" && checkoutUrl) window.location.assign(checkoutUrl);
    else await enter();
  };
}

const LookInYourMail = ({ email }: { email: string }) => (
  <div className="login-narrow" role="status">
    <LoginHead title="Look in your mail">
      A message to {email} is on its way. Its link opens your practice and works for 24 hours. If nothing arrives in a
      few minutes, look in the folder for unwanted mail and check the address.
    </LoginHead>
    <BackToSignIn />
  </div>
);

function OpenPractice({ token }: { token: string }) {
  const goOn = useGoOn();
  const form = useServerForm({
    initialValues: { password: "" },
    submit: async ({ password }) => goOn(await apiClient.auth.confirmRegistration.mutate({ token, password })),
  });
  return (
    <div className="login-narrow">
      <LoginHead title="Open your practice">Choose your password. You can begin at once.</LoginHead>
      <Form form={form} className="login-fields">
        <NewPasswordField {...form.field("password")} />
        <Button type="submit" size="md" fullWidth loading={form.isSaving}>
          Open my practice
        </Button>
      </Form>
      <div className="login-links">
        <Link to="/register" search={{}} className="login-link">
          Register again
        </Link>
      </div>
    </div>
  );
}

const BackToSignIn = () => (
  <div className="login-links">
    <Link to="/" className="login-link">
      Back to sign in
    </Link>
  </div>
);
