import { IconFileText } from "@tabler/icons-react";
import { EmptyPage } from "../../core/empty-page.tsx";
import { LinkButton } from "../../ui/links.tsx";

export function DocumentsPage() {
  return (
    <EmptyPage
      title="Documents"
      icon={<IconFileText size={24} stroke={1.7} />}
      missing="No documents are kept yet"
      actions={<LinkButton to="/clients">Open clients</LinkButton>}
    >
      <p>Agreements, statements and letters will be written, uploaded and read here. Each one says who may read it.</p>
      <p>This version cannot keep files. Leave them where they are kept now.</p>
    </EmptyPage>
  );
}
