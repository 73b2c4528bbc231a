import type { DocumentContent } from "@app/shared/document-content";
import { fieldName } from "@app/shared/document-fields";
import { imagesIn, isUnsaid, missingIn } from "@app/shared/document-walk";
import type { WrittenDocument } from "@app/shared/documents";
import { Button } from "@mantine/core";
import { IconAlertTriangle, IconPhoto, IconTrash } from "@tabler/icons-react";
import type { Editor } from "@tiptap/react";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { notifyError } from "../../core/notify.ts";
import { Panel } from "../../ui/panel.tsx";
import { selectPicture } from "./picture-tools.tsx";

/** What is still missing: as long as there is something, the document is not finished. */
export function MissingList({ content, editor }: { content: DocumentContent; editor: Editor }) {
  return (
    <>
      <MissingFields content={content} editor={editor} />
      <UnsaidPictures content={content} editor={editor} />
    </>
  );
}

/** Pictures of which nobody said what they show. */
function UnsaidPictures({ content, editor }: { content: DocumentContent; editor: Editor }) {
  const unsaid = imagesIn(content).filter(isUnsaid);
  if (unsaid.length === 0) return null;
  return (
    <section className="missing-list" aria-label="Pictures to be described">
      <h2>
        <IconPhoto size={16} stroke={1.7} aria-hidden />
        {unsaid.length === 1 ? "1 picture is not described" : `${unsaid.length} pictures are not described`}
      </h2>
      <ul>
        {unsaid.map(({ attrs: { pictureId } }, index) => (
          <li key={`${index} ${pictureId}`}>
            <button type="button" onClick={() => selectPicture(editor, pictureId)}>
              {unsaid.length === 1 ? "Go to the picture" : `Go to picture ${index + 1}`}
            </button>
          </li>
        ))}
      </ul>
      <p>Say what each shows, or that it is decoration. Then the document can be finished.</p>
    </section>
  );
}

function MissingFields({ content, editor }: { content: DocumentContent; editor: Editor }) {
  const missing = missingIn(content);
  if (missing.length === 0) return null;
  return (
    <section className="missing-list" aria-label="Still to be written">
      <h2>
        <IconAlertTriangle size={16} stroke={1.7} aria-hidden />
        {missing.length === 1 ? "1 field has no value" : `${missing.length} fields have no value`}
      </h2>
      <ul>
        {missing.map((path) => (
          <li key={path}>
            <button type="button" onClick={() => goToField(editor, path)}>
              {fieldName(path)}
            </button>
          </li>
        ))}
      </ul>
      <p>Write in their place, or take them out. Then the document can be finished.</p>
    </section>
  );
}

/** Selects it: what is typed then stands in its place. */
function goToField(editor: Editor, path: string): void {
  let found: number | null = null;
  editor.state.doc.descendants((node, at) => {
    const isIt = node.type.name === "mergeField" && node.attrs["path"] === path && node.attrs["said"] === null;
    if (isIt && node.attrs["fallback"] === "") found ??= at;
    return found === null;
  });
  if (found !== null) editor.chain().focus().setNodeSelection(found).scrollIntoView().run();
}

export function RemovedPanel({ document: { id } }: { document: WrittenDocument }) {
  const utils = api.useUtils();
  const restoring = api.documents.setRemoved.useMutation({
    onSuccess: () => utils.documents.invalidate(),
    onError: (error) => notifyError(messageOf(error)),
  });
  return (
    <Panel
      icon={<IconTrash size={18} stroke={1.7} aria-hidden />}
      title="This document was removed."
      action={
        <Button
          size="xs"
          variant="default"
          loading={restoring.isPending}
          onClick={() => restoring.mutate({ id, isRemoved: false })}
        >
          Bring back
        </Button>
      }
    >
      It is in no list any more, and its file is among the deleted ones: nobody outside the practice reads it.
    </Panel>
  );
}
