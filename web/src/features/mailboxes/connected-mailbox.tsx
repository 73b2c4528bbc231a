import { can } from "@app/shared/access";
import type { ConnectedMailbox, MailServer } from "@app/shared/mailboxes";
import { Button, Group } from "@mantine/core";
import { IconAlertCircle } from "@tabler/icons-react";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { useFormats } from "../../core/format.ts";
import { notify, notifyError } from "../../core/notify.ts";
import { useCurrentUser } from "../../core/session.ts";
import { Chip } from "../../ui/chip.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Facts } from "../../ui/facts.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Section } from "../../ui/section.tsx";
import { MailboxSharing } from "./mailbox-sharing.tsx";
import { UnreadMails } from "./unread-mails.tsx";

interface Props {
  mailbox: ConnectedMailbox;
  /** Connect it anew, with its password. */
  onChange: () => void;
}

export function ConnectedMailboxSection({ mailbox, onChange }: Props) {
  const { email, isActive, lastError } = mailbox;
  const { check, disconnect } = useMailboxActions();
  const [isLeaving, setIsLeaving] = useState(false);
  const maySend = can(useCurrentUser(), "mail.send");
  return (
    <Section title="Your mailbox" action={maySend && <StateChip mailbox={mailbox} />}>
      {!maySend && <Resting />}
      {maySend && (lastError || !isActive) && (
        <div className="mailbox-trouble">
          <Panel
            tone={isActive ? "plain" : "danger"}
            icon={<IconAlertCircle size={18} stroke={1.7} aria-hidden />}
            title={isActive ? "The last check did not get through" : "Mail does not leave by this mailbox"}
          >
            {lastError || "The last mail could not be sent by it. Check it now, or connect it again."}
          </Panel>
        </div>
      )}
      <UnreadMails unread={mailbox.unread} />
      <MailboxFacts mailbox={mailbox} />
      {!mailbox.servers && <SendsOnly />}
      <MailboxSharing sharing={mailbox.sharing} isRead={mailbox.servers !== null} mayGive={maySend} />
      <Group mt="md" gap="sm">
        {maySend && (
          <>
            <Button variant="default" loading={check.isPending} onClick={() => check.mutate()}>
              Check now
            </Button>
            <Button variant={isActive ? "default" : "filled"} onClick={onChange}>
              {isActive ? "Change" : "Connect again"}
            </Button>
          </>
        )}
        <Button variant="default" onClick={() => setIsLeaving(true)}>
          Disconnect
        </Button>
      </Group>
      <ConfirmDialog
        isOpen={isLeaving}
        onClose={() => setIsLeaving(false)}
        title="Disconnect this mailbox"
        confirmLabel="Disconnect"
        isBusy={disconnect.isPending}
        onConfirm={() => disconnect.mutate(undefined, { onSuccess: () => setIsLeaving(false) })}
      >
        Mail to clients no longer comes from {email}, and its messages are no longer shown here. The password is
        forgotten; nothing in the mailbox itself is touched.
      </ConfirmDialog>
    </Section>
  );
}

const Resting = () => (
  <div className="mailbox-trouble">
    <Panel
      icon={<IconAlertCircle size={18} stroke={1.7} aria-hidden />}
      title="You may not send mail here at the moment"
    >
      As long as that is so, no colleague reads this mailbox or sends from it. You can switch off below what you allowed
      them, or disconnect the mailbox. To send mail again, ask the owner of the practice for the permission.
    </Panel>
  </div>
);

const SendsOnly = () => (
  <p className="mailbox-text">
    Answers, replies to invitations and reports of mail that came back stay in the mailbox: look for them there. To have
    them shown here, connect the mailbox with its address and an app password, if your provider gives you one.
  </p>
);

function useMailboxActions() {
  const utils = api.useUtils();
  const onError = (error: unknown) => notifyError(messageOf(error));
  const check = api.mailboxes.check.useMutation({
    onError,
    onSuccess: (view) => {
      utils.mailboxes.get.setData(undefined, view);
      if (view.connected?.lastError === "")
        notify(view.connected.servers ? "The mailbox works: reading and sending" : "The mailbox works: sending");
    },
  });
  const disconnect = api.mailboxes.disconnect.useMutation({
    onError,
    onSuccess: (view) => {
      utils.mailboxes.get.setData(undefined, view);
      notify("The mailbox is disconnected");
    },
  });
  return { check, disconnect };
}

function StateChip({ mailbox: { isActive, lastError } }: { mailbox: ConnectedMailbox }) {
  if (!isActive) return <Chip tone="outline">Not working</Chip>;
  return lastError ? <Chip tone="outline">Not reached</Chip> : <Chip tone="agreed">Connected</Chip>;
}

function MailboxFacts({ mailbox }: { mailbox: ConnectedMailbox }) {
  const formats = useFormats();
  const { email, providerName, servers, checkedAt } = mailbox;
  const kept = servers
    ? [
        { label: "Reads from", value: <Place server={servers.imap} /> },
        { label: "Sends through", value: <Place server={servers.smtp} /> },
      ]
    : [
        { label: "Connected by", value: `Signing in at ${providerName}` },
        { label: "Reads from", value: "Nothing: a mailbox connected in this way only sends" },
      ];
  return (
    <Facts
      facts={[
        { label: "Address", value: email },
        ...kept,
        { label: "Last checked", value: checkedAt ? formats.dateTime(checkedAt) : "Not yet" },
      ]}
    />
  );
}

const Place = ({ server }: { server: MailServer }) => (
  <>
    {server.host}, port {server.port}
  </>
);
