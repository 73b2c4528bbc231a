import { Button, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { PasswordField } from "../../ui/password-field.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";
import { later } from "../../ui/later.tsx";
import "./device-list.css";

const QrPicture = later(
  async () => (await import("../../ui/qr-picture.tsx")).QrPicture,
  <span className="qr-picture" />,
);

interface Secret {
  secret: string;
  uri: string;
}

/** Password, then the secret for the authenticator and its first code, then the recovery codes. */
export function EnableTwoFactorDialog({ onClose }: { onClose: () => void }) {
  const [secret, setSecret] = useState<Secret | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  return (
    <Dialog isOpen onClose={onClose} title="Set up a second factor" size="form">
      {!secret && <AskPassword onDone={setSecret} />}
      {secret && !codes && <ShowSecret secret={secret} onDone={setCodes} />}
      {codes && <RecoveryCodes codes={codes} onDone={onClose} />}
    </Dialog>
  );
}

function AskPassword({ onDone }: { onDone: (secret: Secret) => void }) {
  const start = api.auth.startTwoFactor.useMutation();
  const form = useServerForm({
    initialValues: { password: "" },
    submit: async (values) => onDone(await start.mutateAsync(values)),
  });
  return (
    <Form form={form}>
      <Stack gap="lg" align="flex-start">
        <span>You need an authenticator app on your phone. First, your password, so that nobody else can do this.</span>
        <PasswordField
          w="100%"
          maw={350}
          label="Password"
          autoComplete="current-password"
          {...form.field("password")}
        />
        <Button type="submit" loading={form.isSaving}>
          Continue
        </Button>
      </Stack>
    </Form>
  );
}

function ShowSecret({ secret, onDone }: { secret: Secret; onDone: (codes: string[]) => void }) {
  const enable = api.auth.enableTwoFactor.useMutation();
  const form = useServerForm({
    initialValues: { code: "" },
    submit: async (values) => onDone((await enable.mutateAsync(values)).recoveryCodes),
  });
  return (
    <Form form={form}>
      <ol className="two-factor-steps">
        <li>
          Scan this picture with the app.
          <QrPicture text={secret.uri} label="Picture for the authenticator app" />
          Without a camera, type this key into it:{" "}
          <span className="two-factor-secret">{secret.secret.replaceAll(/(.{4})/g, "$1 ").trim()}</span>
        </li>
        <li>
          Type the six digits that the app shows now.
          <TextInput
            mt="sm"
            maw={200}
            aria-label="Code"
            autoComplete="one-time-code"
            inputMode="numeric"
            {...form.field("code")}
          />
        </li>
      </ol>
      <Button type="submit" loading={form.isSaving}>
        Switch on
      </Button>
    </Form>
  );
}
