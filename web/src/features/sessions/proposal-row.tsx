import { cutText } from "@app/shared/cut-text";
import { PROPOSAL_STATUS_NAMES, type ProposalStatus } from "@app/shared/session-states";
import { isForEverySide, isReleased, JOINT, type Proposal } from "@app/shared/sessions";
import { ActionIcon, Menu } from "@mantine/core";
import { IconDots, IconFileCheck, IconLock } from "@tabler/icons-react";
import { useState } from "react";
import { useFormats } from "../../core/format.ts";
import { Chip } from "../../ui/chip.tsx";
import { PartyMarker } from "../../ui/party-marker.tsx";
import { firstNameOf } from "../notes/note-words.ts";
import { partyOf, useCockpit } from "./cockpit-context.ts";
import { ReleaseProposalDialog } from "./release-proposal-dialog.tsx";

const TONES = { offered: "plain", countered: "outline", withdrawn: "outline", agreed_in_principle: "agreed" } as const;
const icon = { size: 14, stroke: 1.7, "aria-hidden": true } as const;

interface Props {
  proposal: Proposal;
  onAnswer: () => void;
}

export function ProposalRow({ proposal, onAnswer }: Props) {
  const { session, theCase, isOpen } = useCockpit();
  const formats = useFormats();
  const [isReleasing, setIsReleasing] = useState(false);
  const owner = partyOf(theCase, proposal.visibility.aboutPartyIds[0] ?? null);
  const labels =
    proposal.byPartyId === JOINT
      ? theCase.parties.map(({ label }) => label)
      : [partyOf(theCase, proposal.byPartyId)?.label ?? "P?"];
  const isOut = isReleased(session.proposals, proposal.id);
  return (
    <li className="cockpit-proposal" data-status={proposal.status}>
      <span className="cockpit-proposal-by">
        {labels.map((label) => (
          <PartyMarker key={label} label={label} />
        ))}
      </span>
      <div className="cockpit-proposal-body">
        <p>{proposal.text}</p>
        <p className="cockpit-proposal-meta">
          <span className="tabular">{formats.time(proposal.at)}</span>
          <Chip tone={TONES[proposal.status]}>{PROPOSAL_STATUS_NAMES[proposal.status]}</Chip>
        </p>
        {proposal.visibility.scope !== "shared" && (
          <p className="cockpit-proposal-note">
            <IconLock {...icon} />
            {owner
              ? `In ${firstNameOf(owner)}’s confidence${isOut ? ", since released" : ""}`
              : "No party can read this"}
          </p>
        )}
        {proposal.consent && (
          <p className="cockpit-proposal-note">
            <IconFileCheck {...icon} />
            Released with consent, {formats.time(proposal.consent.at)}
          </p>
        )}
      </div>
      {isOpen && proposal.status !== "withdrawn" && (
        <ProposalMenu
          proposal={proposal}
          onAnswer={onAnswer}
          release={
            owner && !isOut
              ? { label: `Release with ${firstNameOf(owner)}’s consent`, onAct: () => setIsReleasing(true) }
              : null
          }
        />
      )}
      {isReleasing && owner && (
        <ReleaseProposalDialog proposal={proposal} owner={owner} onClose={() => setIsReleasing(false)} />
      )}
    </li>
  );
}

interface MenuProps extends Props {
  release: { label: string; onAct: () => void } | null;
}

function ProposalMenu({ proposal, onAnswer, release }: MenuProps) {
  const { theCase, change } = useCockpit();
  const move = (to: ProposalStatus) =>
    void change({
      apply: (before) => ({
        ...before,
        proposals: before.proposals.map((each) => (each.id === proposal.id ? { ...each, status: to } : each)),
      }),
      call: (sessions, id) => sessions.setProposalStatus.mutate({ ...id, proposalId: proposal.id, to }),
    });
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon size={26} aria-label={`What happens with: ${cutText(proposal.text, 60)}`}>
          <IconDots size={16} stroke={1.7} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {proposal.status === "offered" && <Menu.Item onClick={onAnswer}>Add a counter-proposal</Menu.Item>}
        {proposal.status === "offered" && isForEverySide(proposal.visibility, theCase.parties) && (
          <Menu.Item onClick={() => move("agreed_in_principle")}>{PROPOSAL_STATUS_NAMES.agreed_in_principle}</Menu.Item>
        )}
        {proposal.status === "countered" && <Menu.Item onClick={() => move("offered")}>Offered again</Menu.Item>}
        <Menu.Item onClick={() => move("withdrawn")}>Withdrawn</Menu.Item>
        {release && <Menu.Item onClick={release.onAct}>{release.label}</Menu.Item>}
      </Menu.Dropdown>
    </Menu>
  );
}
