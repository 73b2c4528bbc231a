import { IconMail } from "@tabler/icons-react";
import { useTitle } from "../../core/title.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { LinkButton } from "../../ui/links.tsx";
import { PageHead } from "../../ui/page-head.tsx";

export function MailConnectionPage() {
  useTitle("Email");
  return (
    <>
      <PageHead title="Email" />
      <EmptyState
        icon={<IconMail size={24} stroke={1.7} />}
        title="No mailbox was connected"
        actions={<LinkButton to="/email-settings">Open email settings</LinkButton>}
      >
        <p>
          A mail provider sends you back to this page when you connect a mailbox. No connection was under way here, so
          nothing has changed.
        </p>
      </EmptyState>
    </>
  );
}
