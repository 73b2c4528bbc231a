import { IconFileText } from "@tabler/icons-react";
import { EmptyPage } from "../../core/empty-page.tsx";
import { LinkButton } from "../../ui/links.tsx";

export function DocumentEditorPage() {
  return (
    <EmptyPage
      title="Document"
      icon={<IconFileText size={24} stroke={1.7} />}
      missing="This document is not here"
      actions={<LinkButton to="/settings/documents">Open documents</LinkButton>}
    >
      <p>It may have been deleted, or the address is not complete.</p>
    </EmptyPage>
  );
}
