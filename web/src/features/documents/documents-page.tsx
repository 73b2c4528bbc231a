import { IconFileText } from "@tabler/icons-react";
import { EmptyPage } from "../../core/empty-page.tsx";
import { LinkButton } from "../../ui/links.tsx";

export function DocumentsPage() {
  return (
    <EmptyPage
      title="Documents"
      icon={<IconFileText size={24} stroke={1.7} />}
      missing="No documents yet"
      actions={<LinkButton to="/clients">Open clients</LinkButton>}
    >
      <p>This version does not write agreements, statements and letters yet. They will be written and read here.</p>
      <p>Files are kept already: upload them on a client’s page, under Files. Each one says who may read it.</p>
    </EmptyPage>
  );
}
