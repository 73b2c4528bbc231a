import { cutText } from "@app/shared/cut-text";
import { dayIn } from "@app/shared/days";
import { isForEverySide, saidIn } from "@app/shared/mediating";
import { PROPOSAL_STATUS_NAMES, PROPOSAL_TRANSITIONS, type ProposalStatus } from "@app/shared/session-states";
import { isReleased, JOINT, type Proposal } from "@app/shared/sessions";
import { answersFor } from "@app/shared/team-access";
import { ActionIcon, Menu } from "@mantine/core";
import { IconDots, IconFileCheck, IconLock } from "@tabler/icons-react";
import { useState } from "react";
import { useFormats } from "../../core/format.ts";
import { useCurrentUser } from "../../core/session.ts";
import { Chip } from "../../ui/chip.tsx";
import { PartyMarker } from "../../ui/party-marker.tsx";
import { namesOf } from "../notes/consent-fields.tsx";
import { mayAnswer, partyOf, useCockpit } from "./cockpit-context.ts";
import { AnswerDialog } from "./answer-dialog.tsx";
import { MistakenAnswerDialog } from "./mistaken-answer-dialog.tsx";
import { ReleaseProposalDialog } from "./release-proposal-dialog.tsx";

const TONES = { offered: "plain", countered: "outline", withdrawn: "outline", agreed_in_principle: "agreed" } as const;
const icon = { size: 14, stroke: 1.7, "aria-hidden": true } as const;

interface Props {
  proposal: Proposal;
  onAnswer: () => void;
}

export function ProposalRow({ proposal, onAnswer }: Props) {
  const cockpit = useCockpit();
  const { session, theCase } = cockpit;
  const formats = useFormats();
  const [isReleasing, setIsReleasing] = useState(false);
  const owners = theCase.parties.filter(({ partyId }) => proposal.visibility.aboutPartyIds.includes(partyId));
  const labels =
    proposal.byPartyId === JOINT
      ? theCase.parties.map(({ label }) => label)
      : [partyOf(theCase, proposal.byPartyId)?.label ?? "P?"];
  const isLocked = session.status === "locked";
  const isLater = session.lockedAt !== null && proposal.at > session.lockedAt;
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
          <span className="tabular">{isLater ? formats.dateTime(proposal.at) : formats.time(proposal.at)}</span>
          <Chip tone={TONES[proposal.status]}>{PROPOSAL_STATUS_NAMES[proposal.status]}</Chip>
        </p>
        <LaterAnswers proposal={proposal} />
        {proposal.visibility.scope !== "shared" && (
          <p className="cockpit-proposal-note">
            <IconLock {...icon} />
            {owners.length > 0
              ? `In ${namesOf(owners)}’s confidence${isOut ? ", since released" : ""}`
              : "No party can read this"}
          </p>
        )}
        {proposal.consent && (
          <p className="cockpit-proposal-note">
            <IconFileCheck {...icon} />
            Released with consent,{" "}
            {isLocked ? formats.dateTime(proposal.consent.at) : formats.time(proposal.consent.at)}
          </p>
        )}
      </div>
      {mayAnswer(cockpit) && PROPOSAL_TRANSITIONS[proposal.status].length > 0 && (
        <ProposalMenu
          proposal={proposal}
          onAnswer={onAnswer}
          release={
            owners.length > 0 && !isOut && !["withdrawn", "countered"].includes(proposal.status)
              ? { label: `Release with ${namesOf(owners)}’s consent`, onAct: () => setIsReleasing(true) }
              : null
          }
        />
      )}
      {isReleasing && owners.length > 0 && (
        <ReleaseProposalDialog proposal={proposal} owners={owners} onClose={() => setIsReleasing(false)} />
      )}
    </li>
  );
}

/** What was said of it after its session was locked, as it was recorded, and what was noted in error. */
function LaterAnswers({ proposal: { history } }: Pick<Props, "proposal">) {
  const { theCase } = useCockpit();
  const formats = useFormats();
  return history.map(({ at, byName, status, answer, mistake }) => {
    if (mistake !== "")
      return (
        <p key={at} className="cockpit-proposal-note">
          Acceptance noted in error, taken back by {byName} on {formats.dateTime(at)}: {mistake}
        </p>
      );
    if (!answer) return null;
    const who = answer.byPartyId === JOINT ? "all together" : (partyOf(theCase, answer.byPartyId)?.label ?? "P?");
    return (
      <p key={at} className="cockpit-proposal-note">
        {PROPOSAL_STATUS_NAMES[status]} by {who} on {formats.day(answer.on)}, noted by {byName}
      </p>
    );
  });
}

interface MenuProps extends Props {
  release: { label: string; onAct: () => void } | null;
}

function ProposalMenu({ proposal, onAnswer, release }: MenuProps) {
  const { session, theCase, change } = useCockpit();
  const [asked, setAsked] = useState<ProposalStatus | null>(null);
  const [isMistaken, setIsMistaken] = useState(false);
  const [now] = useState(() => new Date());
  const user = useCurrentUser();
  const { timeZone } = user;
  const ways = PROPOSAL_TRANSITIONS[proposal.status];
  const startedAt = session.startedAt === null ? null : new Date(session.startedAt);
  // What is answered after the lock is so on a day that is still to be said: the first that it can be.
  const answered =
    session.status === "locked" && startedAt ? dayIn(timeZone, startedAt) : saidIn({ startedAt }, timeZone, now);
  function move(to: ProposalStatus) {
    if (session.status === "locked") return setAsked(to);
    void change({
      apply: (before) => ({
        ...before,
        proposals: before.proposals.map((each) => (each.id === proposal.id ? { ...each, status: to } : each)),
      }),
      call: (sessions, id) => sessions.setProposalStatus.mutate({ ...id, proposalId: proposal.id, to }),
    });
  }
  return (
    <>
      <Menu>
        <Menu.Target>
          <ActionIcon size={26} aria-label={`What happens with: ${cutText(proposal.text, 60)}`}>
            <IconDots size={16} stroke={1.7} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {ways.includes("countered") && <Menu.Item onClick={onAnswer}>Add a counter-proposal</Menu.Item>}
          {ways.includes("agreed_in_principle") && isForEverySide(proposal.visibility, theCase.parties, answered) && (
            <Menu.Item onClick={() => move("agreed_in_principle")}>
              {PROPOSAL_STATUS_NAMES.agreed_in_principle}
            </Menu.Item>
          )}
          {ways.includes("offered") && <Menu.Item onClick={() => move("offered")}>Offered again</Menu.Item>}
          {ways.includes("withdrawn") && <Menu.Item onClick={() => move("withdrawn")}>Withdrawn</Menu.Item>}
          {proposal.status === "agreed_in_principle" && answersFor(user, theCase.mediators) && (
            <Menu.Item onClick={() => setIsMistaken(true)}>Noted as accepted by mistake</Menu.Item>
          )}
          {release && <Menu.Item onClick={release.onAct}>{release.label}</Menu.Item>}
        </Menu.Dropdown>
      </Menu>
      {asked && <AnswerDialog proposal={proposal} to={asked} onClose={() => setAsked(null)} />}
      {isMistaken && <MistakenAnswerDialog proposal={proposal} onClose={() => setIsMistaken(false)} />}
    </>
  );
}
