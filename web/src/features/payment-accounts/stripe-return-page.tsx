import { can } from "@app/shared/access";
import type { PaymentAccount } from "@app/shared/payment-accounts";
import { IconCreditCard } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { useCurrentUser } from "../../core/session.ts";
import { useTitle } from "../../core/title.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { LinkButton } from "../../ui/links.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { ACCOUNT_WORDS } from "./account-words.ts";

const ICON = <IconCreditCard size={24} stroke={1.7} />;
const Back = () => (
  <LinkButton to="/payment-settings" search={{ tab: "cards" }}>
    Open payment settings
  </LinkButton>
);

/** Where the provider sends people back to. That proves nothing: the account is read anew. */
export function StripeReturnPage({ isRefresh }: { isRefresh: boolean }) {
  useTitle("Payments");
  const user = useCurrentUser();
  const mayGoOn = isRefresh && can(user, "practice.manage");
  return (
    <>
      <PageHead title="Payments" />
      {mayGoOn ? <GoingOn /> : <ReadingAnew />}
    </>
  );
}

/** Its link was used, or over: a new one leads on. */
function GoingOn() {
  const connect = api.paymentAccounts.connect.useMutation();
  // A query of the mutation, because its cache asks once, however often the page is drawn.
  const led = useQuery({
    queryKey: ["paymentAccounts.connect"],
    queryFn: async () => {
      const { url } = await connect.mutateAsync();
      window.location.assign(url);
      return url;
    },
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
  if (led.error) return <Failed error={led.error} />;
  return (
    <div role="status">
      <EmptyState icon={ICON} title="One moment">
        The link to Stripe was used already, so a new one is opened.
      </EmptyState>
    </div>
  );
}

function ReadingAnew() {
  const user = useCurrentUser();
  const utils = api.useUtils();
  const mayAsk = can(user, "payments.manage");
  const refresh = api.paymentAccounts.refresh.useMutation();
  const read = useQuery({
    queryKey: ["paymentAccounts.return"],
    queryFn: async () => {
      const account = mayAsk ? await refresh.mutateAsync() : await utils.paymentAccounts.get.fetch();
      utils.paymentAccounts.get.setData(undefined, account);
      return account;
    },
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
  if (read.error) return <Failed error={read.error} />;
  if (read.data) return <AccountNow account={read.data} />;
  return (
    <div role="status">
      <EmptyState icon={ICON} title="Asking Stripe">
        This takes a few seconds.
      </EmptyState>
    </div>
  );
}

function AccountNow({ account: { state } }: { account: PaymentAccount }) {
  const title = {
    none: "No card payments here",
    elsewhere: "No card payments here",
    not_connected: "No card payment account is connected",
    started: "Not complete yet",
    checking: "Stripe is checking your account",
    ready: "You can take card payments",
    refused: "Stripe does not let this account take cards",
    lost: "Stripe does not know this account",
  }[state];
  return (
    <EmptyState icon={ICON} title={title} actions={<Back />}>
      {ACCOUNT_WORDS[state].text}
    </EmptyState>
  );
}

const Failed = ({ error }: { error: unknown }) => (
  <div role="alert">
    <EmptyState icon={ICON} title="The account could not be read" actions={<Back />}>
      {messageOf(error)}
    </EmptyState>
  </div>
);
