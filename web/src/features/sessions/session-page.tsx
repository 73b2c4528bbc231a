import { IconMessages } from "@tabler/icons-react";
import { useTitle } from "../../core/title.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { LinkButton } from "../../ui/links.tsx";
import { PageHead } from "../../ui/page-head.tsx";

export function SessionPage() {
  useTitle("Session");
  return (
    <>
      <PageHead title="Session" />
      <EmptyState
        icon={<IconMessages size={24} stroke={1.7} />}
        title="This session is not here"
        actions={<LinkButton to="/calendar">Open the calendar</LinkButton>}
      >
        <p>A session opens from a meeting that was held: with its timer, private and shared notes, and proposals.</p>
        <p>This version keeps no meetings, so there is no session at this address.</p>
      </EmptyState>
    </>
  );
}
