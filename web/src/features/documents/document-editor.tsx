import { can } from "@app/shared/access";
import { DOCUMENT_RULES } from "@app/shared/document-kinds";
import { imagesIn, isUnsaid, missingIn } from "@app/shared/document-walk";
import { ATTENDING_MS } from "@app/shared/document-templates";
import { DOCUMENT_NAME_MAX_LENGTH, type WrittenDocument } from "@app/shared/documents";
import { PRIVILEGE_NAMES, PRIVILEGES } from "@app/shared/privileges";
import { Button, NativeSelect, TextInput } from "@mantine/core";
import { IconFileTypePdf } from "@tabler/icons-react";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { notifyError } from "../../core/notify.ts";
import { SavedState } from "../../core/saved-state.tsx";
import { useCurrentUser } from "../../core/session.ts";
import { useTitle } from "../../core/title.ts";
import { later } from "../../ui/later.tsx";
import { namesOfParties } from "../notes/note-words.ts";
import { VisibilityStrip } from "../visibility/visibility-strip.tsx";
import { DocumentHead } from "./document-head.tsx";
import { MissingList, RemovedPanel } from "./document-notices.tsx";
import { TextEditor } from "./text-editor.tsx";
import { useAttendants } from "./use-attendants.ts";
import { type SavedText, useSavedText } from "./use-saved-text.ts";

const FinishDialog = later(async () => (await import("./finish-dialog.tsx")).FinishDialog);

/** What is being written in a case, until it is finished. */
export function DocumentEditor({ document }: { document: WrittenDocument }) {
  useTitle(document.name);
  const user = useCurrentUser();
  const cases = api.cases.get.useQuery({ id: document.caseId });
  const mayWrite = can(user, "documents.manage");
  const isReadOnly = !mayWrite || document.isRemoved;
  const saved = useDocumentText(document, isReadOnly);
  const attending = api.documents.attend.useMutation();
  const others = useAttendants(mayWrite ? document.id : null, saved.newer.isDirty, attending.mutateAsync);
  // What others save comes in by itself, as long as nothing clashes with what is written here.
  const interval = others.length > 0 ? ATTENDING_MS.every : false;
  api.documents.open.useQuery({ id: document.id }, { refetchInterval: interval });
  return (
    <TextEditor
      textId={document.id}
      saved={saved}
      kind={document.kind}
      privilege={document.privilege}
      what="document"
      isReadOnly={isReadOnly}
      others={others}
      head={<EditedHead document={document} saved={saved} isReadOnly={isReadOnly} />}
      notices={
        <>
          {cases.data && <VisibilityStrip visibility={document.visibility} parties={namesOfParties(cases.data)} />}
          {document.isRemoved && <RemovedPanel document={document} />}
        </>
      }
      aside={(editor) => !isReadOnly && <MissingList content={saved.draft.content} editor={editor} />}
    />
  );
}

function useDocumentText(document: WrittenDocument, isReadOnly: boolean): SavedText {
  const utils = api.useUtils();
  const saving = api.documents.save.useMutation();
  const { id } = document;
  return useSavedText(
    document,
    {
      async save(draft) {
        const stored = await saving.mutateAsync(draft);
        utils.documents.open.setData({ id }, { of: "document", document: stored });
        void Promise.all([utils.documents.versions.invalidate({ id }), utils.documents.list.invalidate()]);
        return stored;
      },
      async read() {
        const open = await utils.documents.open.fetch({ id }, { staleTime: 0 });
        if (open.of !== "document") throw new Error("this is no document any more");
        return open.document;
      },
    },
    isReadOnly,
  );
}

interface HeadProps {
  document: WrittenDocument;
  saved: SavedText;
  isReadOnly: boolean;
}

function EditedHead({ document, saved, isReadOnly }: HeadProps) {
  const { data: theCase } = api.cases.get.useQuery({ id: document.caseId });
  const { name } = saved.draft;
  const title = !isReadOnly && (
    <>
      <h1 className="visually-hidden">{name || "Document without a name"}</h1>
      <TextInput
        aria-label="Name"
        className="document-title"
        variant="unstyled"
        maxLength={DOCUMENT_NAME_MAX_LENGTH}
        value={name}
        onChange={({ currentTarget }) => saved.rename(currentTarget.value)}
      />
    </>
  );
  return (
    <DocumentHead document={document} theCase={theCase} title={title || undefined}>
      <SavedState saved={saved} closed={isReadOnly ? "To read only" : null} />
      {!isReadOnly && <MarkSelect document={document} saved={saved} />}
      {!isReadOnly && <FinishButton document={document} saved={saved} />}
    </DocumentHead>
  );
}

type OfDocument = Pick<HeadProps, "document" | "saved">;

/** Only where its kind leaves a choice. */
function MarkSelect({ document, saved }: OfDocument) {
  const utils = api.useUtils();
  const marking = api.documents.mark.useMutation();
  const marks = DOCUMENT_RULES[document.kind].privileges;
  if (marks.length === 1) return null;
  const mark = async (value: string) => {
    const privilege = PRIVILEGES.find((one) => one === value) ?? document.privilege;
    try {
      const stored = await marking.mutateAsync({ id: document.id, version: saved.newer.version, privilege });
      utils.documents.open.setData({ id: document.id }, { of: "document", document: stored });
    } catch (error) {
      notifyError(messageOf(error));
    }
  };
  return (
    <NativeSelect
      size="xs"
      aria-label="Marked as"
      data={marks.map((value) => ({ value, label: PRIVILEGE_NAMES[value] }))}
      value={document.privilege}
      disabled={saved.newer.isDirty || marking.isPending}
      onChange={({ currentTarget }) => void mark(currentTarget.value)}
    />
  );
}

function FinishButton({ document, saved }: OfDocument) {
  const [isOpen, setIsOpen] = useState(false);
  const { content } = saved.draft;
  const isMissing = missingIn(content).length > 0 || imagesIn(content).some(isUnsaid);
  const isUnsaved = saved.newer.isDirty || saved.newer.isSaving;
  return (
    <>
      <Button
        leftSection={<IconFileTypePdf size={16} stroke={1.7} aria-hidden />}
        disabled={isMissing || isUnsaved}
        onClick={() => setIsOpen(true)}
      >
        Finish
      </Button>
      {isOpen && <FinishDialog document={document} version={saved.newer.version} onClose={() => setIsOpen(false)} />}
    </>
  );
}
