import type { BegunRegistration, RegisterResult } from "@app/shared/auth";
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { apiClient } from "../../core/api-client.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { useSession } from "../../core/session-state.ts";
import { useTitle } from "../../core/title.ts";
import { AccountFields } from "./account-fields.tsx";
import type { readBegunRegistration } from "./begun-registration.ts";
import { LoginHead } from "./login-head.tsx";
import { EMPTY_REGISTRATION, isChosen, PracticeFields, type RegistrationValues, unchosen } from "./practice-fields.tsx";
import { useEnter } from "./use-enter.ts";

interface Props {
  token: string | undefined;
  /** What the token stands for. */
  begun: Awaited<ReturnType<typeof readBegunRegistration>>;
}

/** Registers a practice; with the token of the mailed link, opens it. */
export function RegisterPage({ token, begun }: Props) {
  useTitle("Register a practice");
  const { status } = useSession();
  if (!status?.isRegistrationAllowed) return <Closed />;
  if (token === undefined) return <RegisterForm isMailed={status.isMailConfigured} />;
  return begun === null || begun === "gone" ? <LinkGone /> : <OpenPractice key={token} token={token} {...begun} />;
}

/** The password is asked for here only where no link can be mailed. */
function RegisterForm({ isMailed }: { isMailed: boolean }) {
  const goOn = useGoOn();
  const [mailedTo, setMailedTo] = useState<string | null>(null);
  const form = useServerForm<RegistrationValues>({
    initialValues: EMPTY_REGISTRATION,
    validate: unchosen,
    submit: async (entered) => {
      if (!isChosen(entered)) return;
      const { password, ...values } = entered;
      const result = await apiClient.auth.register.mutate(isMailed ? values : { ...values, password });
      if (result.next === "confirm") setMailedTo(values.email);
      else await goOn(result);
    },
  });
  if (mailedTo !== null) return <LookInYourMail email={mailedTo} />;
  return (
    <div className="login-wide">
      <LoginHead title="Register a practice">
        You become its owner. Colleagues are invited and do not register here.
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
        No practice can be registered here. To join one, ask its owner to invite you.
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
      A message to {email} is on its way. Its link opens your practice and works for 24 hours: open it in this browser,
      and you need not enter all this again. If nothing arrives in ten minutes, look in unwanted mail and check the
      address.
    </LoginHead>
    <BackToSignIn />
  </div>
);

function LinkGone() {
  return (
    <div className="login-narrow">
      <LoginHead title="This link does not work any more">
        It was used or is older than 24 hours. If it opened your practice, sign in. If not, register again.
      </LoginHead>
      <div className="login-links">
        <Link to="/register" search={{}} className="login-link">
          Register again
        </Link>
      </div>
      <BackToSignIn />
    </div>
  );
}

/** With what this browser entered before; elsewhere it is entered here, because nobody sees what others entered. */
function OpenPractice({ token, email, begun }: BegunRegistration & { token: string }) {
  const goOn = useGoOn();
  const form = useServerForm<RegistrationValues>({
    initialValues: { ...EMPTY_REGISTRATION, ...begun, email },
    validate: unchosen,
    submit: async (entered) => {
      if (!isChosen(entered)) return;
      const { email: _proved, ...values } = entered;
      await goOn(await apiClient.auth.confirmRegistration.mutate({ token, ...values }));
    },
  });
  return (
    <div className="login-wide">
      <LoginHead title="Open your practice">
        {begun ? "Check what you entered and choose your password." : "Enter your name and choose your password."} You
        can begin at once.
      </LoginHead>
      <Form form={form} className="login-fields">
        <AccountFields form={form} isEmailProved />
        <PracticeFields form={form} />
        <Button type="submit" size="md" fullWidth loading={form.isSaving}>
          Open my practice
        </Button>
      </Form>
      <BackToSignIn />
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
