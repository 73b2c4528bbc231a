import { IconFileText } from "@tabler/icons-react";
import { useTitle } from "../../core/title.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { LinkButton } from "../../ui/links.tsx";
import { PageHead } from "../../ui/page-head.tsx";

export function DocumentsPage() {
  useTitle("Documents");
  return (
    <>
      <PageHead title="Documents" />
      <EmptyState
        icon={<IconFileText size={24} stroke={1.7} />}
        title="No documents are kept yet"
        actions={<LinkButton to="/clients">Open clients</LinkButton>}
      >
        <p>
          Agreements, statements and letters will be written, uploaded and read here. Each one says who may read it.
        </p>
        <p>This version cannot keep files. Leave them where they are kept now.</p>
      </EmptyState>
    </>
  );
}
