import type { Case } from "@app/shared/cases";
import { NOTE_KIND_NAMES, type NoteKind } from "@app/shared/notes";
import { EMPTY_RICH_TEXT } from "@app/shared/rich-text";
import { isCaucus, MEDIATOR_ONLY, PRACTICE_ONLY, type Visibility } from "@app/shared/visibility";
import { Button, SegmentedControl } from "@mantine/core";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { makeId } from "../../core/new-id.ts";
import { notify } from "../../core/notify.ts";
import { FormFailure } from "../../ui/form-failure.tsx";
import { VisibilityPicker } from "../visibility/visibility-picker.tsx";
import { NoteFrame } from "./note-frame.tsx";
import { namesOfParties } from "./note-words.ts";
import { sendSurely } from "./save-queue.ts";
import { TextEditor } from "./text-editor.tsx";
import { useDraft } from "./use-draft.ts";

const KINDS = ["file_note", "phone", "private", "supervision"] as const satisfies readonly NoteKind[];
const isForMediator = (kind: NoteKind) => kind === "private" || kind === "supervision";

interface Props {
  clientId: string;
  theCase: Case | null;
  onClose: () => void;
}

/** A new note of a client or a case. It wears the strip of those who will read it. */
export function NoteComposer(props: Props) {
  const { theCase, onClose } = props;
  const { draft, kind, chooseKind, visibility, chooseReaders, failure, save, isSaving } = useNewNote(props);
  const parties = namesOfParties(theCase);
  return (
    <div className="note-composer">
      {failure && <FormFailure>{failure}</FormFailure>}
      <div className="note-composer-choices">
        <SegmentedControl
          size="xs"
          aria-label="Kind of note"
          value={kind}
          onChange={chooseKind}
          data={KINDS.map((value) => ({ value, label: NOTE_KIND_NAMES[value].replace(" note", "") }))}
        />
        <VisibilityPicker parties={parties} value={visibility} onChange={chooseReaders} />
      </div>
      <NoteFrame visibility={visibility} parties={parties} isComposer label="New note">
        <TextEditor
          key={draft.version}
          initial={draft.initial}
          label="New note"
          placeholder="What happened, and what it means for the next step"
          onChange={draft.change}
          autoFocus
        />
        <div className="note-foot">
          <span role="status" className="note-state">
            {draft.isTooLong && "This text is too long to be saved. Shorten it, or write two notes."}
            {!draft.isTooLong && !draft.isEmpty && "Draft kept while this page is open"}
          </span>
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <Button disabled={draft.isTooLong || draft.isEmpty} loading={isSaving} onClick={() => void save()}>
            Save note
          </Button>
        </div>
      </NoteFrame>
    </div>
  );
}

/** A note while it is written: its kind and its readers go together, and what was typed stays until it is saved. */
function useNewNote({ clientId, theCase, onClose }: Props) {
  const utils = api.useUtils();
  const create = api.notes.create.useMutation({ onSuccess: () => utils.notes.invalidate() });
  const draft = useDraft(`${clientId}/${theCase?.id ?? ""}`);
  const [id] = useState(makeId);
  const [kind, setKind] = useState<NoteKind>("file_note");
  const [visibility, setVisibility] = useState<Visibility>(PRACTICE_ONLY);
  const [failure, setFailure] = useState("");

  function chooseKind(wanted: string) {
    const known = KINDS.find((each) => each === wanted) ?? "file_note";
    setKind(known);
    if (isForMediator(known)) setVisibility(MEDIATOR_ONLY);
  }

  function chooseReaders(wanted: Visibility) {
    setVisibility(wanted);
    if (wanted.scope !== "mediator" && isForMediator(kind)) setKind("file_note");
  }

  async function save() {
    if (!draft.text) return;
    const body = draft.text;
    const note = {
      id,
      body,
      visibility,
      kind: isCaucus(visibility) && !isForMediator(kind) ? ("caucus" as const) : kind,
    };
    setFailure("");
    try {
      await sendSurely(() => create.mutateAsync({ ...note, caseId: theCase?.id ?? null, clientId }));
      draft.replace(EMPTY_RICH_TEXT);
      notify("Note saved");
      onClose();
    } catch (error) {
      setFailure(messageOf(error));
    }
  }

  return { draft, kind, chooseKind, visibility, chooseReaders, failure, save, isSaving: create.isPending };
}
