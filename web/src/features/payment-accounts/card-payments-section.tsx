import type { PaymentAccount } from "@app/shared/payment-accounts";
import { can } from "@app/shared/access";
import { Button, Group } from "@mantine/core";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { useFormats } from "../../core/format.ts";
import { Loaded } from "../../core/loaded.tsx";
import { notify, notifyError } from "../../core/notify.ts";
import { useCurrentUser } from "../../core/session.ts";
import { Chip } from "../../ui/chip.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Facts } from "../../ui/facts.tsx";
import { Section } from "../../ui/section.tsx";
import { ACCOUNT_WORDS } from "./account-words.ts";

/** Whether clients can pay by card, and into which account: what the provider said last. */
export function CardPaymentsSection() {
  const query = api.paymentAccounts.get.useQuery();
  const words = query.data && ACCOUNT_WORDS[query.data.state];
  return (
    <Section title="Card payments" action={words && <Chip tone={words.tone}>{words.chip}</Chip>}>
      <Loaded query={query} failureTitle="The account could not be read">
        {(account) => <AccountState account={account} />}
      </Loaded>
    </Section>
  );
}

function AccountState({ account }: { account: PaymentAccount }) {
  const formats = useFormats();
  const user = useCurrentUser();
  const { mode, state, name, checkedAt, mayConnect } = account;
  const isConnected = mode === "connect" && state !== "not_connected";
  return (
    <>
      <p className="quiet-text">{ACCOUNT_WORDS[state].text}</p>
      {isConnected && (
        <Facts
          labelWidth={120}
          facts={[
            { label: "Account", value: name === "" ? "Without a name" : name },
            { label: "Last checked", value: checkedAt === null ? "Not yet" : formats.dateTime(checkedAt) },
          ]}
        />
      )}
      {mode === "connect" && !mayConnect && (
        <p className="quiet-text">Only the owner of the practice can connect an account.</p>
      )}
      <Group mt="md" gap="xs">
        {mayConnect && <ConnectButton state={state} />}
        {isConnected && can(user, "payments.manage") && <CheckButton />}
        {mayConnect && isConnected && <DisconnectButton />}
      </Group>
    </>
  );
}

function ConnectButton({ state }: Pick<PaymentAccount, "state">) {
  const connect = api.paymentAccounts.connect.useMutation({
    onSuccess: ({ url }) => window.location.assign(url),
    onError: (error) => notifyError(messageOf(error)),
  });
  if (state === "ready" || state === "lost") return null;
  return (
    <Button loading={connect.isPending} onClick={() => connect.mutate()}>
      {state === "not_connected" ? "Connect an account" : "Go on at Stripe"}
    </Button>
  );
}

function CheckButton() {
  const utils = api.useUtils();
  const refresh = api.paymentAccounts.refresh.useMutation({
    onSuccess: (account) => {
      utils.paymentAccounts.get.setData(undefined, account);
      notify(`Checked: ${ACCOUNT_WORDS[account.state].chip.toLowerCase()}`);
    },
    onError: (error) => notifyError(messageOf(error)),
  });
  return (
    <Button variant="default" loading={refresh.isPending} onClick={() => refresh.mutate()}>
      Check again
    </Button>
  );
}

function DisconnectButton() {
  const utils = api.useUtils();
  const [isAsking, setIsAsking] = useState(false);
  const disconnect = api.paymentAccounts.disconnect.useMutation({
    onSuccess: (account) => {
      utils.paymentAccounts.get.setData(undefined, account);
      setIsAsking(false);
      notify("The account is not connected any more");
    },
    onError: (error) => notifyError(messageOf(error)),
  });
  return (
    <>
      <Button variant="subtle" color="red" onClick={() => setIsAsking(true)}>
        Disconnect
      </Button>
      {isAsking && (
        <ConfirmDialog
          isOpen
          title="Disconnect this account?"
          confirmLabel="Disconnect"
          isBusy={disconnect.isPending}
          onConfirm={() => disconnect.mutate()}
          onClose={() => setIsAsking(false)}
        >
          Clients can pay by link no more until you connect an account again. What was paid stays in the account at
          Stripe, and refunds of it still go through.
        </ConfirmDialog>
      )}
    </>
  );
}
