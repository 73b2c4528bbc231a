import { can } from "@app/shared/access";
import type { Case } from "@app/shared/cases";
import { DOCUMENT_KIND_NAMES } from "@app/shared/document-kinds";
import type { WrittenDocument } from "@app/shared/documents";
import { sizeText } from "@app/shared/files";
import { PRIVILEGE_NAMES } from "@app/shared/privileges";
import { Button } from "@mantine/core";
import { IconCopy } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { api } from "../../core/api.ts";
import { useFormats } from "../../core/format.ts";
import { useCurrentUser } from "../../core/session.ts";
import { useTitle } from "../../core/title.ts";
import { Facts } from "../../ui/facts.tsx";
import { PdfViewer } from "../../ui/pdf/pdf-viewer.tsx";
import { Section } from "../../ui/section.tsx";
import { namesOfParties } from "../notes/note-words.ts";
import { wordsOf } from "../visibility/visibility-words.ts";
import { ApprovalsSection } from "./approvals-section.tsx";
import { RemovedPanel } from "./document-notices.tsx";
import { DocumentHead } from "./document-head.tsx";
import { addresseeWords } from "./document-words.ts";
import { MailDocumentButton } from "./mail-document.tsx";
import { PrivilegeBanner } from "./privilege-banner.tsx";
import { useNewDraft } from "./use-new-draft.ts";
import "./text-editor.css";

interface Props {
  document: WrittenDocument;
  fileId: string;
  /** The way to send it out to be signed. */
  signing: ReactNode;
  signatures: ReactNode;
}

/** A finished document as it is on file: it is read here, and never changes. */
export function FinishedDocument({ document, fileId, signing, signatures }: Props) {
  useTitle(document.name);
  const user = useCurrentUser();
  const { data: theCase } = api.cases.get.useQuery({ id: document.caseId });
  return (
    <div className="text-editor">
      <DocumentHead document={document} theCase={theCase}>
        <span className="text-head-end">
          {!document.isRemoved && signing}
          {theCase && can(user, "mail.send") && <MailDocumentButton document={document} theCase={theCase} />}
          {can(user, "documents.manage") && !document.isRemoved && <NewDraftButton documentId={document.id} />}
        </span>
      </DocumentHead>
      <PrivilegeBanner privilege={document.privilege} />
      {document.isRemoved && (
        <div className="text-notices">
          <RemovedPanel document={document} />
        </div>
      )}
      <PdfViewer address={`/files/${fileId}`} name={document.name}>
        {signatures}
        {theCase && <ApprovalsSection document={document} theCase={theCase} />}
        {theCase && <About document={document} fileId={fileId} theCase={theCase} />}
      </PdfViewer>
    </div>
  );
}

interface AboutProps {
  document: WrittenDocument;
  fileId: string;
  theCase: Case;
}

function About({ document, fileId, theCase }: AboutProps) {
  const formats = useFormats();
  const file = api.files.get.useQuery({ id: fileId }, { retry: false });
  const { kind, addressee, privilege, visibility, templateName, updatedAt, updatedByName, unwritten } = document;
  return (
    <Section title="About">
      <Facts
        labelWidth={84}
        facts={[
          { label: "Kind", value: DOCUMENT_KIND_NAMES[kind] },
          { label: "For", value: addresseeWords(addressee, theCase) },
          { label: "Who reads", value: wordsOf(visibility, namesOfParties(theCase)).meaning },
          { label: "Marked as", value: PRIVILEGE_NAMES[privilege] },
          { label: "Made from", value: templateName },
          { label: "Finished", value: `${formats.day(updatedAt)}, ${updatedByName}` },
          ...(file.data ? [{ label: "Size", value: sizeText(file.data.sizeBytes) }] : []),
        ]}
      />
      {file.isError && (
        <p>Its PDF is no longer among the files of the case. Make a new draft of it to file it again.</p>
      )}
      {unwritten.length > 0 && (
        <p>These signs could not be written, and a mark stands in their place: {unwritten.join(" ")}</p>
      )}
    </Section>
  );
}

function NewDraftButton({ documentId }: { documentId: string }) {
  const { make, isBusy } = useNewDraft(documentId);
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconCopy size={16} stroke={1.7} aria-hidden />}
      loading={isBusy}
      onClick={() => void make()}
    >
      New draft of it
    </Button>
  );
}
