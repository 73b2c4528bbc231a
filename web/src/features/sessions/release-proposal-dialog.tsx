import type { Party } from "@app/shared/cases";
import type { Proposal } from "@app/shared/sessions";
import { Button } from "@mantine/core";
import { useState } from "react";
import { messageOf } from "../../core/errors.ts";
import { useNewId } from "../../core/use-new-id.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFailure } from "../../ui/form-failure.tsx";
import { BackButton } from "../../ui/form-foot.tsx";
import { ConsentFields, namesOf, useConsents } from "../notes/consent-fields.tsx";
import { useCockpit } from "./cockpit-context.ts";

interface Props {
  proposal: Proposal;
  /** Whose confidence it is. */
  owners: readonly Party[];
  onClose: () => void;
}

export function ReleaseProposalDialog({ proposal, owners, onClose }: Props) {
  const { change } = useCockpit();
  const consents = useConsents(owners, proposal.at);
  const name = namesOf(owners);
  const [newProposalId] = useNewId();
  const [refused, setRefused] = useState("");
  async function release() {
    const consent = consents.take();
    if (!consent) return;
    setRefused("");
    const given = { proposalId: proposal.id, newProposalId, consent };
    const isTaken = await change({
      changeId: newProposalId,
      call: (sessions, id) => sessions.releaseProposal.mutate({ ...id, ...given }),
      refuse: (error) => {
        setRefused(messageOf(error));
        return true;
      },
    });
    if (isTaken) onClose();
  }
  const footer = (
    <>
      <BackButton />
      <Button disabled={!consents.isComplete} onClick={() => void release()}>
        Share with all parties
      </Button>
    </>
  );
  return (
    <Dialog isOpen onClose={onClose} title={`Release ${name}’s proposal`} footer={footer} isDirty={consents.isDirty}>
      <p className="cockpit-quote">{proposal.text}</p>
      <ConsentFields consents={consents} />
      {refused && <FormFailure>{refused}</FormFailure>}
    </Dialog>
  );
}
