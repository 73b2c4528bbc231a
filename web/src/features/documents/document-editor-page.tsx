import type { WrittenDocument } from "@app/shared/documents";
import { IconFileText } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { api } from "../../core/api.ts";
import { codeOf } from "../../core/errors.ts";
import { Loaded, Loading } from "../../core/loaded.tsx";
import { useTitle } from "../../core/title.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { later } from "../../ui/later.tsx";
import { LinkButton } from "../../ui/links.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import "./documents.css";

// Only whoever writes needs the editor.
const DocumentEditor = later(async () => (await import("./document-editor.tsx")).DocumentEditor, <Loading />);
const FinishedDocument = later(async () => (await import("./finished-document.tsx")).FinishedDocument, <Loading />);
const TemplateEditor = later(async () => (await import("./template-editor.tsx")).TemplateEditor, <Loading />);

interface Props {
  textId: string;
  /** Sends a finished document out to be signed. */
  signing: (document: WrittenDocument) => ReactNode;
  /** Who signed it, or is asked to. */
  signatures: (document: WrittenDocument) => ReactNode;
}

export function DocumentEditorPage({ textId, signing, signatures }: Props) {
  const query = api.documents.open.useQuery({ id: textId });
  useTitle("Document");
  const code = codeOf(query.error);
  if (code === "NOT_FOUND" || code === "BAD_REQUEST") return <NoText />;
  return (
    <Loaded query={query} failureTitle="This document could not be read">
      {(open) => {
        if (open.of === "template") return <TemplateEditor key={textId} template={open.template} />;
        const { document } = open;
        return document.fileId === null ? (
          <DocumentEditor key={textId} document={document} />
        ) : (
          <FinishedDocument
            key={textId}
            document={document}
            fileId={document.fileId}
            signing={signing(document)}
            signatures={signatures(document)}
          />
        );
      }}
    </Loaded>
  );
}

const NoText = () => (
  <div className="text-missing">
    <PageHead title="Document" />
    <EmptyState
      icon={<IconFileText size={24} stroke={1.7} />}
      title="This document is not here"
      actions={<LinkButton to="/settings/documents">Open documents</LinkButton>}
    >
      <p>It may have been removed, or the address is not complete.</p>
    </EmptyState>
  </div>
);
