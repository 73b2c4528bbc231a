import { IconFileText } from "@tabler/icons-react";
import { useTitle } from "../../core/title.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { LinkButton } from "../../ui/links.tsx";
import { PageHead } from "../../ui/page-head.tsx";

export function DocumentEditorPage() {
  useTitle("Document");
  return (
    <>
      <PageHead title="Document" />
      <EmptyState
        icon={<IconFileText size={24} stroke={1.7} />}
        title="This document is not here"
        actions={<LinkButton to="/settings/documents">Open documents</LinkButton>}
      >
        <p>It may have been deleted, or the address is not complete.</p>
      </EmptyState>
    </>
  );
}
