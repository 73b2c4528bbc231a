import { Tabs } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { IconLock, IconShieldLock } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { ACCOUNT_TABS, type AccountSearch, type AccountTab } from "../../core/search.ts";
import { useCurrentUser } from "../../core/session.ts";
import { useTitle } from "../../core/title.ts";
import { later } from "../../ui/later.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { Panel } from "../../ui/panel.tsx";
import { TabList } from "../../ui/tab-list.tsx";
import { DevicesTab } from "../auth/devices-tab.tsx";
import { PracticeTab } from "../practices/practice-tab.tsx";
import { SubscriptionTab } from "../subscriptions/subscription-tab.tsx";
import { YourDataTab } from "./your-data-tab.tsx";

const SealSection = later(async () => (await import("../signatures/seal-section.tsx")).SealSection);

const PracticeParts = () => (
  <>
    <PracticeTab />
    <SealSection />
  </>
);

const TABS: Record<AccountTab, { label: string; Content: (props: { search: AccountSearch }) => ReactNode }> = {
  practice: { label: "Practice", Content: PracticeParts },
  subscription: { label: "Subscription", Content: SubscriptionTab },
  devices: { label: "Devices and sign-in", Content: DevicesTab },
  data: { label: "Your data", Content: YourDataTab },
};

/** Open to everybody who is signed in, also without a subscription. */
export function AccountPage({ search }: { search: AccountSearch }) {
  useTitle("Account");
  const user = useCurrentUser();
  const navigate = useNavigate();
  const shown = search.tab ?? (user.hasAccess ? "practice" : "subscription");
  const { Content } = TABS[shown];
  const show = (value: string | null) => {
    const wanted = ACCOUNT_TABS.find((known) => known === value);
    if (wanted) void navigate({ to: "/account", search: { tab: wanted } });
  };
  return (
    <>
      <PageHead title="Account" />
      {!user.hasAccess && (
        <Panel icon={<IconLock size={18} stroke={1.7} aria-hidden />} title="The practice has no active subscription">
          Everything is kept, but only this page opens until the subscription is active again.
        </Panel>
      )}
      {user.mustSetUpTwoFactor && (
        <Panel
          icon={<IconShieldLock size={18} stroke={1.7} aria-hidden />}
          title="Your practice asks for a second factor"
        >
          Set it up under “Devices and sign-in”. Then everything else opens.
        </Panel>
      )}
      <Tabs value={shown} onChange={show}>
        <TabList label="Parts of your account" active={shown}>
          {ACCOUNT_TABS.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {TABS[name].label}
            </Tabs.Tab>
          ))}
        </TabList>
        <Tabs.Panel value={shown}>
          <Content search={search} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
