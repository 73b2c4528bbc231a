import { cutText } from "@app/shared/cut-text";
import type { Party } from "@app/shared/cases";
import type { Consent, Note } from "@app/shared/notes";
import { plainText, richTextOf } from "@app/shared/rich-text";
import { ISSUE_MAX_LENGTH, PROPOSAL_MAX_LENGTH } from "@app/shared/sessions";
import { SHARED } from "@app/shared/visibility";
import { Button, Group, Radio, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { useNewId } from "../../core/use-new-id.ts";
import { notify } from "../../core/notify.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { BackButton } from "../../ui/form-foot.tsx";
import { FormFailure } from "../../ui/form-failure.tsx";
import { ConsentFields, namesOf, useConsents } from "./consent-fields.tsx";
import { sendSurely } from "./save-queue.ts";

interface Props {
  note: Note;
  /** Whose confidence it is. */
  owners: readonly Party[];
  /** Given in a session: the words may then become a proposal of that party, about this issue at first. */
  session?: { id: string; issue: string };
  onClose: () => void;
}

/** Lets a party's words out of their confidence: a new shared record, with their consent beside it. */
export function ReleaseDialog({ note, owners, session, onClose }: Props) {
  const consents = useConsents(owners, note.updatedAt);
  const mayPropose = session !== undefined && !note.isLocked;
  const [as, setAs] = useState<Release["as"] | null>(mayPropose ? null : "note");
  const [said] = useState(() => cutText(plainText(note.body), PROPOSAL_MAX_LENGTH));
  const [text, setText] = useState(said);
  const [issue, setIssue] = useState(session?.issue ?? "");
  const [newId] = useNewId();
  const [failure, setFailure] = useState("");
  const name = namesOf(owners);
  const { send, isSending } = useRelease(note, session?.id);
  const isDirty = consents.isDirty || text !== said || issue !== (session?.issue ?? "");
  const isReady = consents.isComplete && text.trim() !== "" && (as === "note" || (as && issue.trim() !== ""));

  async function release() {
    const consent = consents.take();
    if (!as || !consent) return;
    try {
      const words = { text: text.trim(), issue: issue.trim(), byPartyId: consent.grantedByPartyId };
      await send({ as, newId, ...words, consent });
      notify(`Released with ${name}’s consent. What ${name} said in confidence stays as it was.`);
      onClose();
    } catch (error) {
      setFailure(messageOf(error));
    }
  }

  const footer = (
    <>
      <BackButton />
      <Button disabled={!isReady} loading={isSending} onClick={() => void release()}>
        Share with all parties
      </Button>
    </>
  );
  return (
    <Dialog isOpen onClose={onClose} title={`Release what ${name} said`} size="form" footer={footer} isDirty={isDirty}>
      {failure && <FormFailure>{failure}</FormFailure>}
      {mayPropose && <ShareAs value={as} onChange={setAs} />}
      {as === "proposal" && <IssueField value={issue} onChange={setIssue} />}
      <WordsField name={name} value={text} onChange={setText} />
      <ConsentFields consents={consents} />
    </Dialog>
  );
}

interface TextProps {
  value: string;
  onChange: (value: string) => void;
}

const IssueField = ({ value, onChange }: TextProps) => (
  <TextInput
    mb="md"
    label="Issue"
    placeholder="Family home"
    value={value}
    maxLength={ISSUE_MAX_LENGTH}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
);

const WordsField = ({ name, value, onChange }: TextProps & { name: string }) => (
  <Textarea
    label="What is shared"
    description={`Leave out whatever ${name} did not agree to. The note itself stays in confidence.`}
    autosize
    minRows={3}
    maxRows={12}
    maxLength={PROPOSAL_MAX_LENGTH}
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
);

function ShareAs({ value, onChange }: { value: Release["as"] | null; onChange: (as: Release["as"]) => void }) {
  return (
    <Radio.Group
      label="Share it as"
      mb="md"
      value={value}
      onChange={(chosen) => onChange(chosen === "proposal" ? "proposal" : "note")}
    >
      <Group pt="xs">
        <Radio value="proposal" label="A proposal" />
        <Radio value="note" label="A shared note" />
      </Group>
    </Radio.Group>
  );
}

interface Release {
  as: "note" | "proposal";
  newId: string;
  text: string;
  issue: string;
  byPartyId: string;
  consent: Consent;
}

function useRelease(note: Note, sessionId: string | undefined) {
  const utils = api.useUtils();
  const releaseNote = api.notes.release.useMutation({ onSuccess: () => utils.notes.invalidate() });
  const addProposal = api.sessions.addProposal.useMutation({
    onSuccess: (session) => utils.sessions.get.setData({ id: session.id }, session),
  });
  async function send({ as, newId, text, issue, byPartyId, consent }: Release): Promise<unknown> {
    if (as === "note" || !sessionId)
      return sendSurely(() => releaseNote.mutateAsync({ id: note.id, newId, body: richTextOf(text), consent }));
    return sendSurely(() =>
      addProposal.mutateAsync({
        id: sessionId,
        changeId: newId,
        proposalId: newId,
        issue,
        text,
        byPartyId,
        visibility: SHARED,
        countersId: null,
        release: { noteId: note.id, consent },
      }),
    );
  }
  return { send, isSending: releaseNote.isPending || addProposal.isPending };
}
