import type { ProposalStatus } from "@app/shared/session-states";
import { PROPOSAL_STATUS_NAMES } from "@app/shared/session-states";
import type { Proposal } from "@app/shared/sessions";
import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import { useNewId } from "../../core/use-new-id.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { BackButton } from "../../ui/form-foot.tsx";
import { useCockpit } from "./cockpit-context.ts";
import { WhoSaid } from "./who-said.tsx";

interface Props {
  proposal: Proposal;
  to: ProposalStatus;
  onClose: () => void;
}

/** What became of an offer after its session was locked: who said so, and on which day. */
export function AnswerDialog({ proposal, to, onClose }: Props) {
  const { theCase, change } = useCockpit();
  const [by, setBy] = useState<string | null>(null);
  const [on, setOn] = useState("");
  const [changeId] = useNewId();
  async function save() {
    if (by === null) return;
    const said = { proposalId: proposal.id, to, answer: { byPartyId: by, on } };
    const isTaken = await change({
      changeId,
      call: (sessions, id) => sessions.setProposalStatus.mutate({ ...id, ...said }),
    });
    if (isTaken) onClose();
  }
  const footer = (
    <>
      <BackButton />
      <Button disabled={by === null || on === ""} onClick={() => void save()}>
        Record the answer
      </Button>
    </>
  );
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`After the session: ${PROPOSAL_STATUS_NAMES[to].toLowerCase()}`}
      footer={footer}
      isDirty={by !== null || on !== ""}
    >
      <p className="cockpit-quote">{proposal.text}</p>
      <WhoSaid label="Who said so" parties={theCase.parties} mayBeJoint value={by} onChange={setBy} />
      <TextInput
        type="date"
        label="On which day"
        description="The session stays locked. The answer stands beside the offer with this day and your name."
        value={on}
        onChange={(event) => setOn(event.currentTarget.value)}
      />
    </Dialog>
  );
}
