import { awaitedIn, whoIsLeftOut, whyNotBegin } from "@app/shared/case-sessions";
import { SESSION_STATUS_NAMES, type SessionStatus } from "@app/shared/session-states";
import { ActionIcon, Button } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { api } from "../../core/api.ts";
import { fieldErrorsOf } from "../../core/errors.ts";
import { IconEye, IconLock, IconPlayerPause, IconPlayerPlay } from "@tabler/icons-react";
import { Chip } from "../../ui/chip.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { focusHeading, isFocusLost } from "../../ui/focus.ts";
import { TextLink } from "../../ui/links.tsx";
import { PartyMarker } from "../../ui/party-marker.tsx";
import { useIsPhone } from "../../ui/use-is-phone.ts";
import { WriteSummaryButton } from "../documents/write-summary-button.tsx";
import { SavingState } from "../notes/saving-state.tsx";
import { hasNothing, useCockpit } from "./cockpit-context.ts";
import { StartReasonDialog } from "./start-reason-dialog.tsx";
import { FORMAT_WORDS, SCOPE_WORDS } from "./session-words.ts";
import { Timer } from "./timer.tsx";
import { UnderWayDialog } from "./under-way-dialog.tsx";

const icon = { size: 16, stroke: 1.7, "aria-hidden": true } as const;

export function CockpitHead() {
  const { session, theCase } = useCockpit();
  // A header that stays while the page scrolls must leave room for the page.
  const isPhone = useIsPhone();
  useFocusKept(session.status);
  const isOver = session.status === "ended" || session.status === "locked";
  return (
    <header className="cockpit-head">
      <h1 className="cockpit-title">Session {session.number}</h1>
      <div className="cockpit-parties">
        {theCase.parties.map((party) => (
          <TextLink
            key={party.partyId}
            to="/clients/view/$id"
            params={{ id: party.clientId }}
            className="cockpit-party-link"
            underline="hover"
          >
            <PartyMarker label={party.label} />
            <span className="cockpit-party-name">{party.name}</span>
          </TextLink>
        ))}
      </div>
      <span className="cockpit-case">
        {theCase.caseRef}, {SCOPE_WORDS[theCase.issueScope].toLowerCase()}, {FORMAT_WORDS[session.format].toLowerCase()}
      </span>
      <div className="cockpit-head-end">
        <SavingState />
        <Timer session={session} />
        <PauseButton />
        <MistakeButton />
        {!isPhone && <ReadersButton />}
        {!isPhone && isOver && <WriteSummaryButton theCase={theCase} />}
        <MoveButton />
      </div>
    </header>
  );
}

/** A button that leads on is gone once it has: whoever pressed it with the keyboard goes on at the heading. */
function useFocusKept(status: SessionStatus) {
  const before = useRef(status);
  useEffect(() => {
    if (before.current !== status && isFocusLost()) focusHeading();
    before.current = status;
  }, [status]);
}

/** Opens what would leave this session, party by party. */
export function ReadersButton() {
  const { show } = useCockpit();
  return (
    <Button variant="default" leftSection={<IconEye {...icon} />} onClick={() => show("parties")}>
      What each party sees
    </Button>
  );
}

/** Before anybody is marked as present, the session may be called off. */
function MistakeButton() {
  const { session, isOpen, show } = useCockpit();
  if (!isOpen || !hasNothing(session)) return null;
  return (
    <Button variant="default" onClick={() => show("mistake")}>
      Not held
    </Button>
  );
}

function PauseButton() {
  const { session, change, isOpen } = useCockpit();
  if (!isOpen || session.status !== "in_progress") return null;
  const isPaused = session.pausedAt !== null;
  const pause = () =>
    change({
      apply: (before) => ({ ...before, pausedAt: isPaused ? null : new Date().toISOString() }),
      call: (sessions, id) => sessions.setPaused.mutate({ ...id, isPaused: !isPaused }),
    });
  return (
    <ActionIcon
      variant="default"
      aria-label={isPaused ? "Let the clock run on" : "Stop the clock"}
      aria-pressed={isPaused}
      onClick={() => void pause()}
    >
      {isPaused ? <IconPlayerPlay {...icon} /> : <IconPlayerPause {...icon} />}
    </ActionIcon>
  );
}

/** The one way on from where the session stands. */
function MoveButton() {
  const { session, theCase, isOpen, mayWrite, show } = useCockpit();
  if (session.status === "cancelled") return <Chip tone="outline">{SESSION_STATUS_NAMES.cancelled}</Chip>;
  if (session.status === "locked")
    return (
      <>
        <Chip tone="outline" icon={<IconLock {...icon} />}>
          {SESSION_STATUS_NAMES.locked}
        </Chip>
        {mayWrite && (
          <>
            <Button variant="default" onClick={() => show("strike")}>
              Strike
            </Button>
            <Button onClick={() => show("amend")}>Add an amendment</Button>
          </>
        )}
      </>
    );
  if (!isOpen) return <Chip tone="outline">{SESSION_STATUS_NAMES[session.status]}</Chip>;
  if (session.status === "ended") return <Button onClick={() => show("lock")}>Lock session</Button>;
  if (session.status === "in_progress") return <Button onClick={() => show("end")}>End session</Button>;
  // What a meeting is for is asked where it begins.
  const isUnbooked = session.meetingId === null;
  const partyIds = awaitedIn(theCase, null).map(({ partyId }) => partyId);
  const why = isUnbooked ? whyNotBegin(theCase, { type: null, partyIds }) : null;
  const leftOut = isUnbooked ? whoIsLeftOut(theCase) : null;
  return (
    <>
      <CancelButton />
      <Button variant="default" onClick={() => show("time")}>
        It was held
      </Button>
      {why === null && leftOut !== null && <span className="quiet-text">{leftOut}</span>}
      {why === null ? <StartButton /> : <span className="quiet-text">{why}</span>}
    </>
  );
}

/** What was prepared cannot be taken up again after this. */
function CancelButton() {
  const { session, change } = useCockpit();
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setIsAsking(true)}>
        Cancel it
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={`Cancel session ${session.number}?`}
        confirmLabel="Cancel the session"
        onConfirm={() => void change({ call: (sessions, id) => sessions.move.mutate({ ...id, to: "cancelled" }) })}
      >
        It stays in the list as cancelled, with what was prepared. It cannot be started any more.
      </ConfirmDialog>
    </>
  );
}

function StartButton() {
  const { session, change } = useCockpit();
  const [asked, setAsked] = useState<string>();
  const [isAsking, setIsAsking] = useState(false);
  const underWay = api.sessions.ofCase
    .useQuery({ id: session.caseId })
    .data?.items.find(({ status }) => status === "in_progress");
  async function start(unmetReason: string) {
    await change({
      call: (sessions, id) => sessions.move.mutate({ ...id, to: "in_progress", unmetReason }),
      refuse: (error) => {
        const { unmetReason: message } = fieldErrorsOf(error);
        setAsked(message);
        return message !== undefined;
      },
    });
  }
  return (
    <>
      <Button onClick={() => (underWay ? setIsAsking(true) : void start(""))}>Start session</Button>
      {isAsking && underWay && (
        <UnderWayDialog
          session={underWay}
          onStart={() => {
            setIsAsking(false);
            void start("");
          }}
          onClose={() => setIsAsking(false)}
        />
      )}
      {asked !== undefined && <StartReasonDialog asked={asked} onStart={start} onClose={() => setAsked(undefined)} />}
    </>
  );
}
