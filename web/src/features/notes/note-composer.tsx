import type { Case } from "@app/shared/cases";
import { APART_SHAREABLE, mayHold } from "@app/shared/confidences";
import { type NoteKind, noteKindName } from "@app/shared/notes";
import { EMPTY_RICH_TEXT } from "@app/shared/rich-text";
import { caucusOf, isCaucus, MEDIATOR_ONLY, PRACTICE_ONLY, type Visibility } from "@app/shared/visibility";
import { Button, SegmentedControl } from "@mantine/core";
import { useState } from "react";
import { makeId } from "../../core/new-id.ts";
import { VisibilityPicker } from "../visibility/visibility-picker.tsx";
import { draftAt } from "./drafts.ts";
import type { Miam } from "./kept-store.ts";
import { saveNewNote } from "./new-notes.ts";
import { NoteFrame } from "./note-frame.tsx";
import { namesOfParties } from "./note-words.ts";
import { SaidAtMiam } from "./said-at-miam.tsx";
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
  const { draft, kind, chooseKind, visibility, chooseReaders, miam, chooseMiam, save } = useNewNote(props);
  const parties = namesOfParties(theCase);
  const kinds = theCase?.confidences === "none" ? [...KINDS, "separate" as const] : KINDS;
  return (
    <div className="note-composer">
      <div className="note-composer-choices">
        <SegmentedControl
          size="xs"
          aria-label="Kind of note"
          value={kind}
          onChange={chooseKind}
          data={kinds.map((value) => ({ value, label: shortNameOf(value) }))}
        />
        <VisibilityPicker
          parties={parties}
          value={visibility}
          onChange={chooseReaders}
          mayHold={(wanted) => theCase === null || isSaidAt(miam, wanted) || mayHold(theCase, wanted)}
        />
        {theCase && <SaidAtMiam theCase={theCase} value={miam?.id ?? ""} onChange={chooseMiam} />}
      </div>
      {kind === "separate" && <p className="quiet-text">{APART_SHAREABLE}: nobody’s confidence.</p>}
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
            {!draft.isTooLong &&
              !draft.isEmpty &&
              (draft.isOnDevice ? "Draft kept on this device" : "Draft kept while this page is open")}
          </span>
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <Button disabled={draft.isTooLong || draft.isEmpty} onClick={save}>
            Save note
          </Button>
        </div>
      </NoteFrame>
    </div>
  );
}

/** Whether it is in the confidence of whoever attended this MIAM, and in nobody else's. */
const isSaidAt = (miam: Miam | null, { aboutPartyIds }: Visibility): boolean =>
  miam !== null && aboutPartyIds.length === 1 && aboutPartyIds[0] === miam.partyId;

/** What is said in somebody's confidence is a note of its own kind, whatever it was begun as. */
const kindOf = (kind: NoteKind, visibility: Visibility): NoteKind =>
  isCaucus(visibility) && !isForMediator(kind) ? "caucus" : kind;

/** Five of them stand side by side on a phone. */
const shortNameOf = (kind: NoteKind): string =>
  kind === "separate" ? "Apart" : noteKindName(kind, null).replace(" note", "");

export const placeOfNewNote = (clientId: string, theCase: Case | null): string => `${clientId}/${theCase?.id ?? ""}`;

/** A note while it is written: its kind and its readers go together, and what was typed stays until it is saved. */
function useNewNote({ clientId, theCase, onClose }: Props) {
  const place = placeOfNewNote(clientId, theCase);
  const begun = draftAt(place)?.choice;
  const [kind, setKind] = useState<NoteKind>(begun?.kind ?? "file_note");
  const [visibility, setVisibility] = useState<Visibility>(begun?.visibility ?? PRACTICE_ONLY);
  const [miam, setMiam] = useState<Miam | null>(begun?.miam ?? null);
  const draft = useDraft(place, { kind, visibility, miam });

  function chooseKind(wanted: string) {
    const known = [...KINDS, "separate" as const].find((each) => each === wanted) ?? "file_note";
    setKind(known);
    if (isForMediator(known)) chooseReaders(MEDIATOR_ONLY, known);
    else if (known === "separate") chooseReaders(isSaidAt(miam, visibility) ? PRACTICE_ONLY : visibility, known);
  }

  function chooseMiam(record: Miam | null) {
    setMiam(record && { id: record.id, partyId: record.partyId });
    if (record) setVisibility(caucusOf(record.partyId));
    else if (theCase && !mayHold(theCase, visibility)) setVisibility(PRACTICE_ONLY);
    if (record && kind !== "phone") setKind("file_note");
  }

  function chooseReaders(wanted: Visibility, of: NoteKind = kind) {
    setVisibility(wanted);
    if (!isSaidAt(miam, wanted)) setMiam(null);
    if (wanted.scope !== "mediator" && isForMediator(of)) setKind("file_note");
  }

  function save() {
    if (!draft.text) return;
    void saveNewNote({
      writtenAt: Date.now(),
      place: { clientId, caseId: theCase?.id ?? null, ...(miam ? { assessmentId: miam.id } : {}) },
      note: {
        id: makeId(),
        body: draft.text,
        visibility,
        kind: kindOf(kind, visibility),
      },
    });
    draft.replace(EMPTY_RICH_TEXT);
    onClose();
  }

  return { draft, kind, chooseKind, visibility, chooseReaders, miam, chooseMiam, save };
}
