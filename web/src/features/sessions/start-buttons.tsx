import type { Case } from "@app/shared/cases";
import { dayIn } from "@app/shared/days";
import { isHolding } from "@app/shared/meeting-states";
import type { SessionMeeting } from "@app/shared/session-meetings";
import type { Session } from "@app/shared/sessions";
import { Button, Group } from "@mantine/core";
import { IconPlayerPlay } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { fieldErrorsOf, messageOf } from "../../core/errors.ts";
import { notifyError } from "../../core/notify.ts";
import { useCurrentUser } from "../../core/session.ts";
import { useToday } from "../../core/today.ts";
import { useNewId } from "../../core/use-new-id.ts";
import { RecordSessionDialog } from "./record-session-dialog.tsx";
import { StartReasonDialog } from "./start-reason-dialog.tsx";
import { UnderWayDialog } from "./under-way-dialog.tsx";
import { WhichMeetingDialog } from "./which-meeting-dialog.tsx";

type Way = "start" | "prepare";
const ACTIONS = { start: "Start session", prepare: "Prepare session" } as const satisfies Record<Way, string>;

/** The meetings of which a session can be started today, or prepared from now on; undefined until they are known. */
function useMeetingsFor({ id }: Case): Record<Way, SessionMeeting[]> | undefined {
  const { timeZone } = useCurrentUser();
  const today = useToday();
  const { data } = api.sessions.meetings.useQuery({ id });
  const toCome = data?.items.filter(({ status }) => isHolding(status)).toReversed();
  const dayOf = ({ startsAt }: SessionMeeting) => dayIn(timeZone, new Date(startsAt));
  return (
    toCome && {
      start: toCome.filter((meeting) => dayOf(meeting) === today),
      prepare: toCome.filter((meeting) => dayOf(meeting) >= today),
    }
  );
}

/** Starts or prepares a session, of a meeting or of none, and opens it. */
function useOpening({ id: caseId }: Case) {
  const navigate = useNavigate();
  const utils = api.useUtils();
  const start = api.sessions.start.useMutation();
  const prepare = api.sessions.create.useMutation();
  // One id each for as long as the buttons stand here: a second click, or a second try, opens the same session.
  const [startId] = useNewId();
  const [prepareId] = useNewId();
  async function open(made: Promise<Session>) {
    const session = await made;
    utils.sessions.get.setData({ id: session.id }, session);
    void utils.sessions.ofCase.invalidate();
    await navigate({ to: "/sessions/$id", params: { id: session.id } });
  }
  return {
    isOpening: { start: start.isPending, prepare: prepare.isPending },
    begin: (meetingId: string | null, unmetReason: string) =>
      open(start.mutateAsync({ id: startId, caseId, meetingId, unmetReason })),
    prepare: (meetingId: string | null) => open(prepare.mutateAsync({ id: prepareId, caseId, meetingId })),
  };
}

export function StartButtons({ theCase, canBegin }: { theCase: Case; canBegin: boolean }) {
  const [isRecording, setIsRecording] = useState(false);
  const [choosing, setChoosing] = useState<Way>();
  const [asked, setAsked] = useState<{ message: string; meetingId: string | null }>();
  const meetings = useMeetingsFor(theCase);
  const { isOpening, begin, prepare } = useOpening(theCase);
  async function go(way: Way, meetingId: string | null) {
    setChoosing(undefined);
    try {
      await (way === "start" ? begin(meetingId, "") : prepare(meetingId));
    } catch (error) {
      const { unmetReason: message } = fieldErrorsOf(error);
      if (message === undefined) notifyError(messageOf(error));
      else setAsked({ message, meetingId });
    }
  }
  const choose = (way: Way) => (meetings?.[way].length ? setChoosing(way) : void go(way, null));
  return (
    <Group gap={8} justify="flex-end">
      <Button size="xs" variant="default" onClick={() => setIsRecording(true)}>
        Record a past session
      </Button>
      <Button
        size="xs"
        variant="default"
        loading={isOpening.prepare}
        disabled={!meetings}
        onClick={() => choose("prepare")}
      >
        {ACTIONS.prepare}
      </Button>
      {canBegin && (
        <StartButton
          caseId={theCase.id}
          isOpening={isOpening.start}
          isReady={meetings !== undefined}
          onStart={() => choose("start")}
        />
      )}
      {isRecording && <RecordSessionDialog theCase={theCase} onClose={() => setIsRecording(false)} />}
      {choosing && (
        <WhichMeetingDialog
          theCase={theCase}
          meetings={meetings?.[choosing] ?? []}
          action={ACTIONS[choosing]}
          onChoose={(meetingId) => go(choosing, meetingId)}
          onClose={() => setChoosing(undefined)}
        />
      )}
      {asked && (
        <StartReasonDialog
          asked={asked.message}
          onStart={(reason) => begin(asked.meetingId, reason)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </Group>
  );
}

interface StartProps {
  caseId: string;
  isOpening: boolean;
  isReady: boolean;
  onStart: () => void;
}

/** Where one is under way, that is offered first. */
function StartButton({ caseId, isOpening, isReady, onStart }: StartProps) {
  const [isAsking, setIsAsking] = useState(false);
  const sessions = api.sessions.ofCase.useQuery({ id: caseId }).data?.items;
  const underWay = sessions?.find(({ status }) => status === "in_progress");
  return (
    <>
      <Button
        size="xs"
        leftSection={<IconPlayerPlay size={14} stroke={1.7} aria-hidden />}
        loading={isOpening}
        disabled={!isReady || !sessions}
        onClick={() => (underWay ? setIsAsking(true) : onStart())}
      >
        {ACTIONS.start}
      </Button>
      {isAsking && underWay && (
        <UnderWayDialog
          session={underWay}
          onStart={() => {
            setIsAsking(false);
            onStart();
          }}
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  );
}
