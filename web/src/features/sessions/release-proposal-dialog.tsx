import type { Party } from "@app/shared/cases";
import type { Proposal } from "@app/shared/sessions";
import { Button } from "@mantine/core";
import { useState } from "react";
import { messageOf } from "../../core/errors.ts";
import { useNewId } from "../../core/use-new-id.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFailure } from "../../ui/form-failure.tsx";
import { BackButton } from "../../ui/form-foot.tsx";
import { ConsentFields, useConsent } from "../notes/consent-fields.tsx";
import { firstNameOf } from "../notes/note-words.ts";
import { useCockpit } from "./cockpit-context.ts";

interface Props {
  proposal: Proposal;
  owner: Party;
  onClose: () => void;
}

export function ReleaseProposalDialog({ proposal, owner, onClose }: Props) {
  const { change } = useCockpit();
  const consent = useConsent(owner.partyId, proposal.at);
  const name = firstNameOf(owner);
  const [newProposalId] = useNewId();
  const [refused, setRefused] = useState("");
  async function release() {
    setRefused("");
    const given = { proposalId: proposal.id, newProposalId, consent: consent.take() };
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
      <Button disabled={!consent.isComplete} onClick={() => void release()}>
        Share with all parties
      </Button>
    </>
  );
  return (
    <Dialog isOpen onClose={onClose} title={`Release ${name}’s proposal`} footer={footer} isDirty={consent.isDirty}>
      <p className="cockpit-quote">{proposal.text}</p>
      <ConsentFields consent={consent} name={name} />
      {refused && <FormFailure>{refused}</FormFailure>}
    </Dialog>
  );
}
