import type { CaseDomain } from "@app/shared/case-transitions";
import { apartName, APART_SHAREABLE } from "@app/shared/confidences";
import { EMPTY_RICH_TEXT, plainText } from "@app/shared/rich-text";
import { Button, Kbd } from "@mantine/core";
import { IconBulb } from "@tabler/icons-react";
import { useMemo, useState } from "react";
import { makeId } from "../../core/new-id.ts";
import { draftAt } from "../notes/drafts.ts";
import { saveNewNote } from "../notes/new-notes.ts";
import { NoteFrame } from "../notes/note-frame.tsx";
import { namesOfParties, ownerOf } from "../notes/note-words.ts";
import { TextEditor } from "../notes/text-editor.tsx";
import { useDraft } from "../notes/use-draft.ts";
import { useCockpit } from "./cockpit-context.ts";
import { ME, type Owner, OwnerPicker, ownersOf } from "./owner-picker.tsx";
import { ProposalDialog } from "./proposal-dialog.tsx";

const placeIn = (sessionId: string): string => `session/${sessionId}`;

/** Whose words they were when they were begun; where that cannot be chosen any more, the mediator's alone. */
function ownerOfDraft(owners: Owner[], sessionId: string): Owner {
  const visibility = JSON.stringify(draftAt(placeIn(sessionId))?.choice?.visibility);
  return owners.find((each) => JSON.stringify(each.visibility) === visibility) ?? ME;
}

/** Where the mediator writes. Picker, frame, strip and button say together whose words these become. */
export function SessionComposer() {
  const { session, theCase } = useCockpit();
  const owners = useMemo(() => ownersOf(theCase), [theCase]);
  const [owner, setOwner] = useState(() => ownerOfDraft(owners, session.id));
  const draft = useDraft(placeIn(session.id), owner);
  const [isProposing, setIsProposing] = useState(false);
  const parties = namesOfParties(theCase);

  function save() {
    if (!draft.text || draft.isEmpty) return;
    const { kind, visibility } = owner;
    void saveNewNote({
      writtenAt: Date.now(),
      place: { sessionId: session.id },
      note: { id: makeId(), kind, visibility, body: draft.text },
    });
    draft.replace(EMPTY_RICH_TEXT);
  }

  return (
    <div
      onKeyDown={(event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) save();
      }}
    >
      <OwnerPicker theCase={theCase} owners={owners} value={owner} onChange={setOwner} />
      <NoteFrame
        visibility={owner.visibility}
        parties={parties}
        time={`Alt 1–${owners.length}`}
        isComposer
        label="New note"
      >
        <TextEditor
          key={draft.version}
          initial={draft.initial}
          label={labelOf(owner, theCase.domain)}
          placeholder="Write here"
          onChange={draft.change}
          isPlain
        />
        <ComposerFoot owner={owner} draft={draft} onPropose={() => setIsProposing(true)} onSave={save} />
      </NoteFrame>
      {isProposing && (
        <ProposalDialog
          initialText={draft.text ? plainText(draft.text) : ""}
          byPartyId={owner.party?.partyId}
          isInConfidence={owner.party !== null}
          onClose={() => setIsProposing(false)}
          onAdded={() => draft.replace(EMPTY_RICH_TEXT)}
        />
      )}
    </div>
  );
}

function labelOf({ party, kind }: Owner, domain: CaseDomain): string {
  if (party) return `Note in the ${apartName(domain).toLowerCase()} with ${party.name}`;
  return kind === "separate" ? APART_SHAREABLE : "Note";
}

interface FootProps {
  owner: Owner;
  draft: Pick<ReturnType<typeof useDraft>, "isTooLong" | "isEmpty">;
  onPropose: () => void;
  onSave: () => void;
}

function ComposerFoot({ owner, draft: { isTooLong, isEmpty }, onPropose, onSave }: FootProps) {
  const { theCase } = useCockpit();
  return (
    <div className="note-foot">
      <Button
        size="xs"
        variant="default"
        leftSection={<IconBulb size={14} stroke={1.7} aria-hidden />}
        onClick={onPropose}
      >
        Proposal
      </Button>
      <span role="status" className="note-state cockpit-draft">
        {isTooLong && "Too long to be saved. Shorten it, or write two notes."}
        {!isTooLong && !isEmpty && (
          <>
            Draft kept <Kbd size="xs">Ctrl Enter</Kbd>
          </>
        )}
      </span>
      <Button
        className="cockpit-save"
        data-owner={ownerOf(owner.visibility, theCase.parties)}
        disabled={isTooLong || isEmpty}
        onClick={onSave}
      >
        {owner.saveLabel}
      </Button>
    </div>
  );
}
