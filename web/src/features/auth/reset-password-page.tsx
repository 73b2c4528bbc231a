import type { MailState } from "@app/shared/auth";
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { apiClient } from "../../core/api-client.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { useTitle } from "../../core/title.ts";
import { NewPasswordField } from "../../ui/password-field.tsx";
import { EmailField } from "./email-field.tsx";
import { LoginHead } from "./login-head.tsx";

/** Asks for a link by mail; with the link's token, takes the new password. */
export function ResetPasswordPage({ token }: { token: string | undefined }) {
  useTitle("Reset your password");
  return <div className="login-narrow">{token === undefined ? <AskForLink /> : <TakePassword token={token} />}</div>;
}

function AskForLink() {
  const [answer, setAnswer] = useState<(MailState & { email: string }) | null>(null);
  const form = useServerForm({
    initialValues: { email: "" },
    submit: async (values) => {
      const { mailLeavesFor } = await apiClient.auth.requestPasswordReset.mutate(values);
      setAnswer({ email: values.email, mailLeavesFor });
    },
  });
  if (answer) return <LinkAnswer {...answer} />;
  return (
    <>
      <LoginHead title="Reset your password">We send you a link with which you choose a new one.</LoginHead>
      <Form form={form} className="login-fields">
        <EmailField {...form.field("email")} />
        <Button type="submit" size="md" fullWidth loading={form.isSaving}>
          Send me a link
        </Button>
      </Form>
      <BackToSignIn />
    </>
  );
}

function LinkAnswer({ email, mailLeavesFor }: MailState & { email: string }) {
  if (mailLeavesFor === "nobody") {
    return (
      <Done title="No mail could be sent">
        This installation has no way to send mail yet, and the link for a new password goes to nobody but you. Ask
        whoever runs this installation to set up its mail server (SYSTEM_SMTP_URL), or to run scripts/reset-password,
        which gives them a link for you.
      </Done>
    );
  }
  return (
    <Done title="Look in your mail">
      If there is an account for {email}, {mailLeavesFor === "some" && "and mail can be sent for it, "}a message with a
      link is on its way. If nothing arrives in a few minutes, look in the folder for unwanted mail and check the
      address.
      {mailLeavesFor === "some" &&
        " Where none can be sent, nobody else gets the link either: ask whoever runs this installation to run scripts/reset-password."}
    </Done>
  );
}

function TakePassword({ token }: { token: string }) {
  const [isDone, setIsDone] = useState(false);
  const form = useServerForm({
    initialValues: { password: "" },
    submit: async ({ password }) => {
      await apiClient.auth.resetPassword.mutate({ token, password });
      setIsDone(true);
    },
  });
  if (isDone)
    return <Done title="Your password is changed">You were signed out everywhere. Sign in with the new one.</Done>;
  return (
    <>
      <LoginHead title="Choose a new password" />
      <Form form={form} className="login-fields">
        <NewPasswordField label="New password" {...form.field("password")} />
        <Button type="submit" size="md" fullWidth loading={form.isSaving}>
          Change password
        </Button>
      </Form>
      <div className="login-links">
        <Link to="/resetpassword" className="login-link">
          Ask for a new link
        </Link>
      </div>
    </>
  );
}

function Done({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div role="status">
      <LoginHead title={title}>{children}</LoginHead>
      <BackToSignIn />
    </div>
  );
}

function BackToSignIn() {
  return (
    <div className="login-links">
      <Link to="/" className="login-link">
        Back to sign in
      </Link>
    </div>
  );
}
