import { can } from "@app/shared/access";
import type { Case, Party } from "@app/shared/cases";
import { type ListedNote, type Note, noteKindName } from "@app/shared/notes";
import { Button } from "@mantine/core";
import { IconArrowForwardUp, IconFileCheck, IconPin } from "@tabler/icons-react";
import { useState } from "react";
import { useFormats } from "../../core/format.ts";
import { useCurrentUser } from "../../core/session.ts";
import { RichTextView } from "../../ui/rich-text-view.tsx";
import { useIsPhone } from "../../ui/use-is-phone.ts";
import { wordsOf } from "../visibility/visibility-words.ts";
import { NoteActions } from "./note-actions.tsx";
import { hasUnsavedEdit } from "./note-edits.ts";
import { NoteEditing } from "./note-editing.tsx";
import { NoteFrame } from "./note-frame.tsx";
import { namesOfParties } from "./note-words.ts";
import { namesOf } from "./consent-fields.tsx";
import { ReleaseDialog } from "./release-dialog.tsx";

interface Props {
  note: ListedNote;
  theCase: Case | null;
  /** The session that is open, and its issue: the note takes little room there, and can be released as a proposal. */
  session?: { id: string; issue: string };
}

const icon = { size: 14, stroke: 1.7, "aria-hidden": true } as const;

export function NoteCard({ note, theCase, session }: Props) {
  const formats = useFormats();
  const mayWrite = can(useCurrentUser(), "clients.write");
  // Where there is little room the actions stand in a menu.
  const isPhone = useIsPhone();
  const isCompact = session !== undefined || isPhone;
  const [isEditing, setIsEditing] = useState(() => mayWrite && hasUnsavedEdit(note.id));
  const [isReleasing, setIsReleasing] = useState(false);
  const parties = namesOfParties(theCase);
  const at = session ? formats.time(note.createdAt) : formats.dateTime(note.createdAt);
  const kindName = noteKindName(note.kind, theCase?.domain ?? null);
  const owners = theCase?.parties.filter(({ partyId }) => note.visibility.aboutPartyIds.includes(partyId)) ?? [];
  const actions = mayWrite && (
    <NoteActions note={note} theCase={theCase} onEdit={() => setIsEditing(true)} isCompact={isCompact} />
  );
  const release = mayWrite && owners.length > 0 && (
    <ReleaseButton
      note={note}
      owners={owners}
      isInSession={session !== undefined}
      onOpen={() => setIsReleasing(true)}
    />
  );
  return (
    <NoteFrame
      visibility={note.visibility}
      parties={parties}
      time={at}
      said={saidInConfidence(note, owners)}
      label={`${kindName}, ${at}`}
    >
      {isEditing ? (
        <NoteEditing note={note} onDone={() => setIsEditing(false)} />
      ) : (
        <>
          <div className="note-body" data-compact={isCompact || undefined}>
            <div className="note-words">
              <RichTextView doc={note.body} />
              <ConsentLine note={note} theCase={theCase} />
              <ReleaseLines note={note} theCase={theCase} />
            </div>
            {isCompact && actions}
          </div>
          {(!session || release) && (
            <div className="note-foot">
              {!session && <NoteMeta note={note} kindName={kindName} />}
              {release}
              {!isCompact && actions}
            </div>
          )}
        </>
      )}
      {isReleasing && owners.length > 0 && (
        <ReleaseDialog
          note={note}
          owners={owners}
          {...(session ? { session } : {})}
          onClose={() => setIsReleasing(false)}
        />
      )}
    </NoteFrame>
  );
}

/** By phone or in an enquiry: nobody met them for it. Undefined where it was said in a meeting with them alone. */
const saidInConfidence = ({ kind, visibility }: Note, owners: readonly Party[]): string | undefined =>
  kind === "caucus" || visibility.scope !== "staff" || owners.length === 0
    ? undefined
    : `What ${namesOf(owners)} said in confidence`;

interface ReleaseButtonProps {
  note: ListedNote;
  owners: readonly Party[];
  isInSession: boolean;
  onOpen: () => void;
}

function ReleaseButton({ note, owners, isInSession, onOpen }: ReleaseButtonProps) {
  const again = note.releases.length > 0 ? " again" : "";
  return (
    <Button size="xs" variant="default" leftSection={<IconArrowForwardUp {...icon} />} onClick={onOpen}>
      {isInSession ? `Ask ${namesOf(owners)} to release${again}` : `Release${again} with ${namesOf(owners)}’s consent`}
    </Button>
  );
}

function NoteMeta({ note, kindName }: { note: Note; kindName: string }) {
  const formats = useFormats();
  return (
    <span className="note-meta">
      {note.isPinned && <IconPin {...icon} />}
      {kindName} · {note.createdByName}
      {note.updatedAt !== note.createdAt && `, changed ${formats.dateTime(note.updatedAt)}`}
      {note.isLocked && ", locked with its session"}
    </span>
  );
}

function ConsentLine({ note: { consent }, theCase }: { note: Note; theCase: Case | null }) {
  const formats = useFormats();
  if (!consent) return null;
  return [consent, ...(consent.others ?? [])].map(({ grantedByPartyId, at, how }) => {
    const party = theCase?.parties.find(({ partyId }) => partyId === grantedByPartyId);
    return (
      <p key={grantedByPartyId} className="note-consent">
        <IconFileCheck {...icon} />
        Released by {party ? `${party.name} (${party.label})` : "a party"} with consent, {formats.dateTime(at)}: {how}
      </p>
    );
  });
}

/** What was let out of it, to whom and when. */
function ReleaseLines({ note: { releases }, theCase }: { note: ListedNote; theCase: Case | null }) {
  const formats = useFormats();
  const parties = namesOfParties(theCase);
  return releases.map(({ id, createdAt, createdByName, visibility }) => (
    <p key={id} className="note-consent">
      <IconArrowForwardUp {...icon} />
      Released on {formats.dateTime(createdAt)} by {createdByName}. {wordsOf(visibility, parties).who}.
    </p>
  ));
}
