import type { Case, Party } from "@app/shared/cases";
import { cutText } from "@app/shared/cut-text";
import { ISSUE_MAX_LENGTH, JOINT, mayOfferTogether, type Proposal, PROPOSAL_MAX_LENGTH } from "@app/shared/sessions";
import { APART_SHAREABLE, mayHold } from "@app/shared/confidences";
import { PROPOSAL_PRIVILEGE } from "@app/shared/privileges";
import { caucusOf, PRACTICE_ONLY, SHARED, type Visibility } from "@app/shared/visibility";
import { Autocomplete, Button, Input, SegmentedControl, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { fieldErrorsOf, messageOf } from "../../core/errors.ts";
import { useNewId } from "../../core/use-new-id.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFailure } from "../../ui/form-failure.tsx";
import { BackButton } from "../../ui/form-foot.tsx";
import { NoteFrame } from "../notes/note-frame.tsx";
import { firstNameOf, namesOfParties } from "../notes/note-words.ts";
import { partyOf, useCockpit } from "./cockpit-context.ts";
import { WhoSaid } from "./who-said.tsx";

interface Props {
  initialText?: string;
  byPartyId?: string | undefined;
  isInConfidence?: boolean;
  /** The offer that this one answers. */
  answered?: Proposal;
  onClose: () => void;
  onAdded?: () => void;
}

/** A new offer, or the answer to one. */
export function ProposalDialog(props: Props) {
  const { answered, onClose } = props;
  const { session, theCase } = useCockpit();
  const proposal = useProposal(props);
  const { issue, setIssue, text, setText, by, setBy, isPrivate, setIsPrivate, party, visibility, isReady } = proposal;
  const issues = new Set([...session.proposals.map((each) => each.issue), ...session.agenda.map(({ topic }) => topic)]);
  const footer = (
    <>
      <BackButton />
      <Button disabled={!isReady} onClick={() => void proposal.add()}>
        {answered ? "Add counter-proposal" : "Add proposal"}
      </Button>
    </>
  );
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={answered ? "Counter-proposal" : "New proposal"}
      size="form"
      footer={footer}
      isDirty={proposal.isDirty}
    >
      {answered && <p className="cockpit-quote">{answered.text}</p>}
      <Autocomplete
        label="Issue"
        value={issue}
        onChange={setIssue}
        maxLength={ISSUE_MAX_LENGTH}
        data={[...issues]}
        disabled={answered !== undefined}
        mb="md"
      />
      <WhoSaid
        label="Who proposes it"
        parties={theCase.parties}
        mayBeJoint={!answered || mayOfferTogether(answered.visibility, theCase.parties)}
        value={by}
        error={proposal.errors["byPartyId"]}
        onChange={setBy}
      />
      {proposal.isLater && (
        <TextInput
          type="date"
          label="On which day"
          description="The session is locked, so say when it was offered."
          mb="md"
          value={proposal.on}
          error={proposal.errors["on"]}
          onChange={(event) => proposal.setOn(event.currentTarget.value)}
        />
      )}
      {!answered && party && <WhoReads theCase={theCase} party={party} isPrivate={isPrivate} onChange={setIsPrivate} />}
      <OfferedWords theCase={theCase} visibility={visibility} value={text} onChange={setText} />
      {proposal.refused && <FormFailure>{proposal.refused}</FormFailure>}
    </Dialog>
  );
}

interface OfferedWordsProps {
  theCase: Case;
  /** Null until it is chosen who reads it. */
  visibility: Visibility | null;
  value: string;
  onChange: (text: string) => void;
}

function OfferedWords({ theCase, visibility, value, onChange }: OfferedWordsProps) {
  const words = (
    <Textarea
      aria-label="Proposal"
      {...(visibility ? { variant: "unstyled", classNames: { input: "cockpit-proposal-input" } } : {})}
      autosize
      minRows={3}
      maxRows={10}
      maxLength={PROPOSAL_MAX_LENGTH}
      placeholder="What is offered, in their words"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      data-autofocus
    />
  );
  if (!visibility) return words;
  return (
    <NoteFrame visibility={visibility} parties={namesOfParties(theCase)} label="Who can read this proposal">
      {words}
    </NoteFrame>
  );
}

/** A proposal while it is written, and how it comes into the session. */
function useProposal(props: Props) {
  const { initialText = "", answered, onClose, onAdded } = props;
  const { session, change } = useCockpit();
  const current = session.agenda.find(({ isDone }) => !isDone);
  const [begun] = useState(answered?.issue ?? current?.topic ?? "");
  const [issue, setIssue] = useState(begun);
  const [text, setText] = useState(cutText(initialText, PROPOSAL_MAX_LENGTH));
  const speaker = useSpeaker(props);
  const { by, visibility } = speaker;
  const [proposalId] = useNewId();
  const [on, setOn] = useState("");
  const { errors, refused, refuse, clear } = useRefusal();
  const isLater = session.status === "locked";
  const isReady = issue.trim() !== "" && text.trim() !== "" && visibility !== null && (!isLater || on !== "");

  /** What comes after the lock may be refused for its day or its speaker: the dialog stays open until it is taken. */
  async function add() {
    if (by === null || !visibility) return;
    clear();
    const fields = {
      issue: issue.trim(),
      text: text.trim(),
      byPartyId: by,
      visibility,
      countersId: answered?.id ?? null,
    };
    const sent = change({
      changeId: proposalId,
      apply: (before) => ({ ...before, proposals: [...before.proposals, offeredNow(proposalId, fields)] }),
      ...(isLater ? { refuse } : {}),
      call: (sessions, id) =>
        sessions.addProposal.mutate({ ...id, ...fields, on: isLater ? on : null, proposalId, release: null }),
    });
    if (isLater && !(await sent)) return;
    onAdded?.();
    onClose();
  }

  const isDirty = text !== initialText || issue !== begun;
  return {
    isDirty,
    issue,
    setIssue,
    text,
    setText,
    ...speaker,
    on,
    setOn,
    isLater,
    isReady,
    errors,
    refused,
    add,
  };
}

/** Who offers it, and who is to read it. */
function useSpeaker({ byPartyId, isInConfidence = false, answered }: Props) {
  const { theCase } = useCockpit();
  const [by, setBy] = useState(byPartyId ?? otherParty(theCase.parties, answered) ?? null);
  const [isPrivate, setIsPrivate] = useState<boolean | null>(isInConfidence || null);
  const party = partyOf(theCase, by);
  const visibility = answered?.visibility ?? readersOf(theCase, by, isPrivate);
  return { by, setBy, isPrivate, setIsPrivate, party, visibility };
}

type Offer = Pick<Proposal, "issue" | "text" | "byPartyId" | "visibility" | "countersId">;

/** As it stands on the page until the server has it. */
const offeredNow = (id: string, offer: Offer): Proposal => ({
  ...offer,
  id,
  privilege: PROPOSAL_PRIVILEGE,
  status: "offered",
  at: new Date().toISOString(),
  releasedFromId: null,
  consent: null,
  history: [],
});

/** Why an answer was refused: at who gave it, at its day, or below. */
function useRefusal() {
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [refused, setRefused] = useState("");
  const refuse = (error: unknown) => {
    const fields = fieldErrorsOf(error);
    setErrors(fields);
    if (!["on", "byPartyId"].some((field) => fields[field])) setRefused(messageOf(error));
    return true;
  };
  const clear = () => {
    setErrors({});
    setRefused("");
  };
  return { errors, refused, refuse, clear };
}

interface WhoReadsProps {
  theCase: Case;
  party: Party;
  isPrivate: boolean | null;
  onChange: (isPrivate: boolean) => void;
}

function WhoReads({ theCase, party, isPrivate, onChange }: WhoReadsProps) {
  return (
    <>
      <Input.Label labelElement="div">Who can read it</Input.Label>
      <SegmentedControl
        fullWidth
        mb="md"
        aria-label="Who can read it"
        value={isPrivate === null ? "" : isPrivate ? "private" : "shared"}
        onChange={(value) => onChange(value === "private")}
        data={[
          {
            value: "private",
            label: mayHold(theCase, caucusOf(party.partyId))
              ? `In ${firstNameOf(party)}’s confidence`
              : APART_SHAREABLE,
          },
          { value: "shared", label: "Said to all parties" },
        ]}
      />
    </>
  );
}

/** What is offered together all parties know; who else knows an offer is chosen, and null until then. */
function readersOf(theCase: Case, by: string | null, isPrivate: boolean | null): Visibility | null {
  if (by === JOINT) return SHARED;
  if (by === null || isPrivate === null) return null;
  if (!isPrivate) return SHARED;
  return mayHold(theCase, caucusOf(by)) ? caucusOf(by) : PRACTICE_ONLY;
}

/** An answer comes from the other side, where there are two. */
function otherParty(parties: { partyId: string }[], answered: Proposal | undefined): string | undefined {
  if (!answered) return undefined;
  return parties.find(({ partyId }) => partyId !== answered.byPartyId)?.partyId;
}
