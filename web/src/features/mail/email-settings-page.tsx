import { can } from "@app/shared/access";
import { IconMail } from "@tabler/icons-react";
import { useCurrentUser } from "../../core/session.ts";
import { useSession } from "../../core/session-state.ts";
import { useTitle } from "../../core/title.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { LinkButton } from "../../ui/links.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { Section } from "../../ui/section.tsx";
import { UnsentMail } from "./unsent-mail.tsx";

export function EmailSettingsPage({ page }: { page: number }) {
  useTitle("Email");
  const user = useCurrentUser();
  const isMailConfigured = useSession().status?.isMailConfigured ?? false;
  return (
    <>
      <PageHead title="Email" />
      <Section title="Your mailbox">
        <EmptyState
          order={3}
          icon={<IconMail size={24} stroke={1.7} />}
          title="No mailbox is connected"
          actions={
            <LinkButton to="/clients" variant="default">
              Open clients
            </LinkButton>
          }
        >
          <p>
            A mailbox of your own will be connected here, so that mail to clients comes from your address and stands on
            their page.
          </p>
          <p>
            This version cannot connect one. Write to clients from your usual mail program; their addresses are on their
            pages.
          </p>
        </EmptyState>
      </Section>
      {can(user, "practice.manage") && <UnsentMail page={page} isMailConfigured={isMailConfigured} />}
    </>
  );
}
