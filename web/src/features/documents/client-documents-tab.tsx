import { can } from "@app/shared/access";
import type { Case, Party } from "@app/shared/cases";
import { DOCUMENT_KIND_NAMES } from "@app/shared/document-kinds";
import type { DocumentRow } from "@app/shared/documents";
import { PRIVILEGE_NAMES } from "@app/shared/privileges";
import { answersFor } from "@app/shared/team-access";
import { ActionIcon, Button, Menu } from "@mantine/core";
import { IconCheck, IconCopy, IconDots, IconFileText, IconMail, IconPlus, IconTrash } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { useFormats } from "../../core/format.ts";
import { LoadedPage } from "../../core/loaded-page.tsx";
import { notify, notifyError } from "../../core/notify.ts";
import { useCurrentUser } from "../../core/session.ts";
import { Chip } from "../../ui/chip.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { later } from "../../ui/later.tsx";
import { TextLink } from "../../ui/links.tsx";
import { Section } from "../../ui/section.tsx";
import { Readers } from "../visibility/readers.tsx";
import { ApprovalWords, isApprovable } from "./approval-words.tsx";
import { addresseeWords } from "./document-words.ts";
import { MailDocumentDialog, readersAmong } from "./mail-document.tsx";
import { useNewDraft } from "./use-new-draft.ts";
import "./documents.css";

const ApprovalDialog = later(async () => (await import("./approval-dialog.tsx")).ApprovalDialog);
const NewDocumentDialog = later(async () => (await import("./new-document-dialog.tsx")).NewDocumentDialog);
const icon = { size: 16, stroke: 1.7, "aria-hidden": true } as const;

interface Props {
  theCase: Case;
  page: number;
  onPage: (page: number) => void;
  /** Sends a finished one out to be signed. */
  signing: (document: DocumentRow) => ReactNode;
}

/** What is written in a case, and for whom. */
export function ClientDocumentsTab({ theCase, page, onPage, signing }: Props) {
  const user = useCurrentUser();
  const [isAdding, setIsAdding] = useState(false);
  const query = api.documents.list.useQuery({ caseId: theCase.id, page }, { placeholderData: (before) => before });
  const mayWrite = can(user, "documents.manage");
  return (
    <Section
      title="Documents"
      count={query.data?.total || undefined}
      action={
        mayWrite && (
          <Button size="xs" variant="default" leftSection={<IconPlus {...icon} />} onClick={() => setIsAdding(true)}>
            New document
          </Button>
        )
      }
    >
      <LoadedPage
        query={query}
        failureTitle="The documents of this case could not be read"
        page={page}
        words={["document", "documents"]}
        onPage={onPage}
        empty={
          <EmptyState icon={<IconFileText size={24} stroke={1.7} />} title="No documents yet">
            Agreements, summaries and letters are written here, from templates of the practice. A finished one is a PDF
            among the files, for exactly those for whom it was written.
          </EmptyState>
        }
      >
        {(items) => (
          <ul className="document-rows">
            {items.map((document) => (
              <DocumentListRow
                key={document.id}
                document={document}
                theCase={theCase}
                mayWrite={mayWrite}
                signing={signing}
              />
            ))}
          </ul>
        )}
      </LoadedPage>
      {isAdding && <NewDocumentDialog theCase={theCase} onClose={() => setIsAdding(false)} />}
    </Section>
  );
}

interface RowProps {
  document: DocumentRow;
  theCase: Case;
  mayWrite: boolean;
  signing: Props["signing"];
}

function DocumentListRow({ document, theCase, mayWrite, signing }: RowProps) {
  const formats = useFormats();
  const { id, name, kind, addressee, privilege, visibility, status, updatedAt, updatedByName } = document;
  return (
    <li>
      <IconFileText {...icon} />
      <span className="document-name">
        <TextLink to="/settings/documents/edit/$id" params={{ id }} c="inherit" fw={500} fz="inherit" underline="hover">
          {name}
        </TextLink>
        <span>
          {DOCUMENT_KIND_NAMES[kind]}. For: {addresseeWords(addressee, theCase)}
        </span>
        <ApprovalWords document={document} theCase={theCase} />
      </span>
      <span className="document-chips">
        {document.isSuperseded ? (
          <Chip tone="outline">Superseded</Chip>
        ) : (
          <Chip tone={status === "finished" ? "agreed" : "outline"}>
            {status === "finished" ? "Finished" : "Draft"}
          </Chip>
        )}
        {privilege !== "none" && <Chip>{PRIVILEGE_NAMES[privilege]}</Chip>}
      </span>
      <Readers visibility={visibility} parties={theCase.parties} />
      <span className="document-changed">
        {formats.day(updatedAt)}, {updatedByName}
      </span>
      {status === "finished" && signing(document)}
      {mayWrite && <DocumentMenu document={document} theCase={theCase} />}
    </li>
  );
}

function removedWords({ name, fileId }: DocumentRow, isRemoved: boolean): string {
  if (!isRemoved) return `${name} is back`;
  return fileId === null ? `${name} is removed` : `${name} is removed, and nobody outside reads its file any more`;
}

function DocumentMenu({ document, theCase }: Pick<RowProps, "document" | "theCase">) {
  const { id: documentId, name, fileId } = document;
  const user = useCurrentUser();
  const [mailedTo, setMailedTo] = useState<Party | null>(null);
  const readers = fileId !== null && can(user, "mail.send") ? readersAmong(theCase, document) : [];
  const [isApproving, setIsApproving] = useState(false);
  const mayApprove = isApprovable(document) && answersFor(user, theCase.mediators);
  const utils = api.useUtils();
  const settle = () => Promise.all([utils.documents.list.invalidate(), utils.timeline.invalidate()]);
  const removing = api.documents.setRemoved.useMutation({ onSettled: settle });
  const attempt = (work: Promise<unknown>, done: () => void) =>
    work.then(done, (error: unknown) => notifyError(messageOf(error)));
  const setRemoved = (isRemoved: boolean): Promise<void> =>
    attempt(removing.mutateAsync({ id: documentId, isRemoved }), () =>
      notify(removedWords(document, isRemoved), {
        label: "Undo",
        onAct: () => void setRemoved(!isRemoved),
      }),
    );
  const newDraft = useNewDraft(documentId);
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`More for ${name}`}>
            <IconDots {...icon} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {mayApprove && (
            <Menu.Item leftSection={<IconCheck {...icon} />} onClick={() => setIsApproving(true)}>
              Record what they say of it
            </Menu.Item>
          )}
          {readers.map((reader) => (
            <Menu.Item key={reader.partyId} leftSection={<IconMail {...icon} />} onClick={() => setMailedTo(reader)}>
              Mail it to {reader.name} ({reader.label})
            </Menu.Item>
          ))}
          <Menu.Item leftSection={<IconCopy {...icon} />} onClick={() => void newDraft.make()}>
            New draft of it
          </Menu.Item>
          <Menu.Item leftSection={<IconTrash {...icon} />} onClick={() => void setRemoved(true)}>
            Remove
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {mailedTo && <MailDocumentDialog document={document} party={mailedTo} onClose={() => setMailedTo(null)} />}
      {isApproving && <ApprovalDialog document={document} theCase={theCase} onClose={() => setIsApproving(false)} />}
    </>
  );
}
