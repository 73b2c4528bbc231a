import type { ConnectedMailbox, MailProblem, MailSignIn } from "@app/shared/mailboxes";
import { Button, Group, Stack, TextInput } from "@mantine/core";
import { IconAlertCircle } from "@tabler/icons-react";
import { Form } from "../../core/form.tsx";
import { BackButton } from "../../ui/form-foot.tsx";
import { Panel } from "../../ui/panel.tsx";
import { PasswordField } from "../../ui/password-field.tsx";
import { FoundPanel } from "./found-panel.tsx";
import { ServerSettings } from "./server-settings.tsx";
import { useConnect } from "./use-connect.ts";

interface Props {
  connected: ConnectedMailbox | null;
  signIns: readonly MailSignIn[];
  onDone: () => void;
  /** Back to the mailbox as it is; absent where none is connected. */
  onCancel: (() => void) | undefined;
}

/** Address and password are enough where the servers are found; otherwise they are asked for in plain words. */
export function ConnectForm({ connected, signIns, onDone, onCancel }: Props) {
  const { form, problems, isOpen, setIsOpen, found, isLooking, lookAhead } = useConnect({ connected, onDone });
  return (
    <Form form={form} label="Connect a mailbox" className="connect-form">
      <Stack gap="md">
        <TextInput
          label="Email address"
          type="email"
          autoComplete="email"
          inputMode="email"
          {...form.field("email")}
          onBlur={() => void lookAhead()}
        />
        <FoundPanel found={found} isLooking={isLooking} signIns={signIns} />
        <PasswordField
          label={found?.advice?.urlLabel.includes("app password") ? "App password" : "Password of the mailbox"}
          autoComplete="off"
          {...form.field("password")}
          onFocus={() => void lookAhead()}
        />
        <ServerSettings form={form} isOpen={isOpen} onToggle={() => setIsOpen(!isOpen)} />
        <Problems problems={form.isSaving ? [] : problems} />
        <Group gap="sm">
          <Button type="submit" loading={form.isSaving}>
            Connect the mailbox
          </Button>
          {onCancel && <BackButton onBack={onCancel} />}
        </Group>
        <p className="quiet-text" role="status">
          {form.isSaving ? "Signing in to read and to send mail. This takes up to ten seconds." : ""}
        </p>
      </Stack>
    </Form>
  );
}

const SIDES: Record<MailProblem["side"], string> = { imap: "Reading mail", smtp: "Sending mail", provider: "" };

/** What no field is to blame for; the rest stands at its field. */
function Problems({ problems }: { problems: readonly MailProblem[] }) {
  return (
    <div role="alert">
      {problems.map(({ side, what, whatToDo, field }) =>
        field === "" ? (
          <Panel
            key={side}
            tone="danger"
            icon={<IconAlertCircle size={18} stroke={1.7} aria-hidden />}
            title={`${SIDES[side]}: ${what}`}
          >
            {whatToDo}
          </Panel>
        ) : null,
      )}
      {problems.length > 0 && (
        <p className="not-connected">
          The mailbox is not connected, and nothing was saved. Change what is marked in red.
        </p>
      )}
    </div>
  );
}
