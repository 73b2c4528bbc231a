import { can } from "@app/shared/access";
import { Tabs } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { IconMail } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { api } from "../../core/api.ts";
import { EMAIL_TABS, type EmailSettingsSearch, type EmailTab } from "../../core/search.ts";
import { useCurrentUser } from "../../core/session.ts";
import { useSession } from "../../core/session-state.ts";
import { useTitle } from "../../core/title.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { LinkButton } from "../../ui/links.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { TabList } from "../../ui/tab-list.tsx";
import { UnsentMail } from "../mail/unsent-mail.tsx";
import { MailboxTab } from "./mailbox-tab.tsx";
import { later } from "../../ui/later.tsx";

const TemplatesTab = later(async () => (await import("../mail-templates/templates-tab.tsx")).TemplatesTab);
const MailingsTab = later(async () => (await import("../mailings/mailings-tab.tsx")).MailingsTab);

const LABELS: Record<EmailTab, string> = {
  mailbox: "Your mailbox",
  templates: "Templates",
  mailings: "Mailings",
  unsent: "Not sent",
};

export function EmailSettingsPage({ search }: { search: EmailSettingsSearch }) {
  useTitle("Email");
  const tabs = useTabs(search);
  const navigate = useNavigate();
  const [first] = tabs;
  const shown = tabs.find(({ name }) => name === search.tab) ?? first;
  const show = (value: string | null) => {
    const tab = EMAIL_TABS.find((name) => name === value);
    if (tab) void navigate({ to: "/email-settings", search: { tab } });
  };
  return (
    <>
      <PageHead title="Email" />
      {shown ? (
        <Tabs value={shown.name} onChange={show}>
          <TabList label="Parts of the email settings" active={shown.name}>
            {tabs.map(({ name }) => (
              <Tabs.Tab key={name} value={name}>
                {LABELS[name]}
              </Tabs.Tab>
            ))}
          </TabList>
          <Tabs.Panel value={shown.name}>{shown.content}</Tabs.Panel>
        </Tabs>
      ) : (
        <NoMail />
      )}
    </>
  );
}

/** The tabs that this person may open. */
function useTabs({ page = 1, mailing }: EmailSettingsSearch): { name: EmailTab; content: ReactNode }[] {
  const user = useCurrentUser();
  const isMailConfigured = useSession().status?.isMailConfigured ?? false;
  const maySend = can(user, "mail.send");
  // Whoever may not send any more can still stop lending the mailbox that they connected.
  const mailbox = api.mailboxes.get.useQuery();
  const contents: Record<EmailTab, ReactNode> = {
    mailbox: (maySend || Boolean(mailbox.data?.connected)) && <MailboxTab />,
    templates: maySend && <TemplatesTab />,
    mailings: maySend && <MailingsTab mailing={mailing} page={page} />,
    unsent: can(user, "practice.manage") && <UnsentMail page={page} isMailConfigured={isMailConfigured} />,
  };
  return EMAIL_TABS.map((name) => ({ name, content: contents[name] })).filter(({ content }) => content !== false);
}

const NoMail = () => (
  <EmptyState
    icon={<IconMail size={24} stroke={1.7} />}
    title="You do not send mail here"
    actions={<LinkButton to="/clients">Open clients</LinkButton>}
  >
    Mail is set up by those who send it. If you are to send mail too, ask the owner of the practice for the permission.
  </EmptyState>
);
