import { can } from "@app/shared/access";
import { ARRANGEMENT_NAMES } from "@app/shared/meeting-safety";
import {
  isHolding,
  MEETING_STATUS_NAMES,
  MEETING_TRANSITIONS,
  MEETING_TYPE_NAMES,
  type MeetingStatus,
} from "@app/shared/meeting-states";
import type { Meeting } from "@app/shared/meetings";
import { HELD_SESSION_STATUSES, heldWords } from "@app/shared/session-states";
import type { SessionRow } from "@app/shared/sessions";
import { Button, Group, Stack } from "@mantine/core";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { fieldErrorsOf, messageOf } from "../../core/errors.ts";
import { useFormats } from "../../core/format.ts";
import { Loaded } from "../../core/loaded.tsx";
import { notify, notifyError } from "../../core/notify.ts";
import { useCurrentUser } from "../../core/session.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { LinkButton } from "../../ui/links.tsx";
import { Facts } from "../../ui/facts.tsx";
import { MeetingRecord } from "../assessments/meeting-record.tsx";
import { useDepositFacts } from "../bookings/deposit-fact.tsx";
import { CancelMeetingForm } from "./cancel-meeting-form.tsx";
import { type AskedWhy, HeldForm } from "./held-form.tsx";
import { MeetingDetailsForm } from "./meeting-details-form.tsx";
import { LOCATION_NAMES } from "./meeting-locations.ts";
import { MeetingOthers } from "./meeting-others.tsx";
import { MeetingPeople } from "./meeting-people.tsx";
import { RescheduleForm } from "./reschedule-form.tsx";
import { UnkeptMeasures } from "./unkept-measures.tsx";
import { visitorFacts } from "./visitor-facts.ts";
import { useChildren } from "./use-children.ts";

/** One meeting: who, when, where, who came, and what can be done with it. */
export function MeetingDialog({ meetingId, onClose }: { meetingId: string; onClose: () => void }) {
  const meeting = api.meetings.get.useQuery({ id: meetingId });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={meeting.data ? MEETING_TYPE_NAMES[meeting.data.type] : "Meeting"}
      size="form"
    >
      <Loaded query={meeting} failureTitle="The meeting could not be read">
        {(data) => <Content meeting={data} onClose={onClose} />}
      </Loaded>
    </Dialog>
  );
}

function Content({ meeting, onClose }: { meeting: Meeting; onClose: () => void }) {
  const user = useCurrentUser();
  const [form, setForm] = useState<"details" | "reschedule" | "cancel" | null>(null);
  const [asked, setAsked] = useState<AskedWhy>();
  const mayManage = can(user, "calendar.manage");
  const { status } = meeting;
  const held = useHeldSession(meeting);
  return (
    <Stack gap="md">
      <MeetingFacts meeting={meeting} />
      <UnkeptMeasures meeting={meeting} />
      <MeetingPeople meeting={meeting} mayManage={mayManage} isHeld={held !== undefined} onAsked={setAsked} />
      <MeetingOthers meeting={meeting} mayManage={mayManage} />
      {meeting.type === "miam" && meeting.caseId && <MeetingRecord meeting={meeting} caseId={meeting.caseId} />}
      {form === "details" && (
        <MeetingDetailsForm
          meeting={meeting}
          isHeld={held !== undefined}
          onDone={() => setForm(null)}
          onBack={() => setForm(null)}
        />
      )}
      {held && !form && <HeldNote held={held} />}
      {form === "reschedule" && <RescheduleForm meeting={meeting} onDone={onClose} onBack={() => setForm(null)} />}
      {form === "cancel" && <CancelMeetingForm meeting={meeting} onDone={onClose} onBack={() => setForm(null)} />}
      {asked !== undefined && (
        <HeldForm
          key={JSON.stringify(asked)}
          meeting={meeting}
          asked={asked}
          onDone={asked.mark ? () => setAsked(undefined) : onClose}
          onBack={() => setAsked(undefined)}
        />
      )}
      {mayManage && !form && asked === undefined && (isHolding(status) || status === "no_show") && (
        <Actions
          meeting={meeting}
          held={held}
          onAsked={(what) => setAsked({ what, mark: null })}
          onDetails={() => setForm("details")}
          onReschedule={() => setForm("reschedule")}
          onCancel={() => setForm("cancel")}
        />
      )}
    </Stack>
  );
}

/** Who, when and where, and what else was noted. */
function MeetingFacts({ meeting }: { meeting: Meeting }) {
  const formats = useFormats();
  const { startsAt, endsAt, status, location, mediatorNames, caseRef, title, note, reason, seriesId } = meeting;
  const { arrangements, againstMeasures, unmet } = meeting;
  const deposit = useDepositFacts(meeting.id, meeting.visitor !== null);
  const children = useChildren(meeting.type === "cim" ? meeting.caseId : null)
    .filter(({ childId }) => meeting.childIds.includes(childId))
    .map(({ firstName }) => firstName)
    .join(", ");
  return (
    <Facts
      labelWidth={92}
      facts={[
        { label: "When", value: `${formats.dateTime(startsAt)}–${formats.time(endsAt)}` },
        { label: "Where", value: [LOCATION_NAMES[location.kind], location.place].filter(Boolean).join(", ") },
        ...(meeting.rooms.length > 0 ? [{ label: "Rooms", value: roomWords(meeting) }] : []),
        { label: "Mediator", value: mediatorNames.join(", ") },
        ...visitorFacts(meeting),
        ...deposit,
        { label: "State", value: MEETING_STATUS_NAMES[status] },
        ...(children ? [{ label: "With", value: children }] : []),
        ...(caseRef ? [{ label: "Case", value: caseRef }] : []),
        ...(title ? [{ label: "Title", value: title }] : []),
        ...(arrangements.length > 0
          ? [{ label: "Arranged", value: arrangements.map((each) => ARRANGEMENT_NAMES[each]).join(", ") }]
          : []),
        ...(againstMeasures ? [{ label: "Against measures", value: againstMeasures }] : []),
        ...(unmet
          ? [
              { label: "Missing then", value: unmet.what.join(" ") },
              { label: "Held because", value: unmet.reason ?? "For whoever may read screenings" },
            ]
          : []),
        ...(note ? [{ label: "Note", value: note }] : []),
        ...(reason ? [{ label: "Reason", value: reason }] : []),
        ...(seriesId ? [{ label: "Series", value: "One of several" }] : []),
      ]}
    />
  );
}

const roomWords = ({ rooms, people }: Meeting): string =>
  rooms
    .map(({ name, partyIds }) => {
      const whose = people.filter(({ partyId }) => partyIds.includes(partyId)).map((one) => one.name);
      return whose.length > 0 ? `${name} (${whose.join(", ")})` : name;
    })
    .join(", ");

const ACTION_NAMES: Partial<Record<MeetingStatus, string>> = {
  booked: "Book it",
  confirmed: "Confirm",
  completed: "It took place",
  no_show: "Nobody came",
};

/** What came of a meeting is said once it has begun. */
const OUTCOMES: readonly MeetingStatus[] = ["completed", "no_show"];

/** The session that was held at this meeting, after which it stays as it is. */
function useHeldSession({ id, caseId }: Meeting): SessionRow | undefined {
  const sessions = api.sessions.ofCase.useQuery({ id: caseId ?? "" }, { enabled: caseId !== null });
  return sessions.data?.items.find(
    ({ meetingId, status }) => meetingId === id && HELD_SESSION_STATUSES.includes(status),
  );
}

/** What the meeting bears no more by that, and where what was recorded is put right. */
const HeldNote = ({ held }: { held: SessionRow }) => (
  <Stack gap="xs" align="flex-start">
    <p className="quiet-text">{heldWords(held, "it is neither moved, marked nor cancelled any more")}</p>
    <LinkButton to="/sessions/$id" params={{ id: held.id }}>
      Open session {held.number}
    </LinkButton>
  </Stack>
);

interface ActionsProps {
  meeting: Meeting;
  held: SessionRow | undefined;
  /** The server asks why it was held all the same. */
  onAsked: (what: string) => void;
  onDetails: () => void;
  onReschedule: () => void;
  onCancel: () => void;
}

function Actions({ meeting, held, onAsked, onDetails, onReschedule, onCancel }: ActionsProps) {
  const utils = api.useUtils();
  const setStatus = api.meetings.setStatus.useMutation({
    onSettled: () =>
      Promise.all([
        utils.meetings.invalidate(),
        utils.assessments.invalidate(),
        utils.timeline.invalidate(),
        utils.tasks.invalidate(),
      ]),
  });
  const set = async (to: MeetingStatus) => {
    try {
      await setStatus.mutateAsync({ id: meeting.id, version: meeting.version, to });
      notify(`The meeting is ${MEETING_STATUS_NAMES[to].toLowerCase()}`);
    } catch (error) {
      const { unmetReason: what } = fieldErrorsOf(error);
      if (what === undefined) notifyError(messageOf(error));
      else onAsked(what);
    }
  };
  const next = MEETING_TRANSITIONS[meeting.status].filter((to) => !held || to === "completed");
  const [openedAt] = useState(() => new Date());
  const hasBegun = new Date(meeting.startsAt) <= openedAt;
  return (
    <Group gap="xs">
      {next.map(
        (to) =>
          ACTION_NAMES[to] &&
          (hasBegun || !OUTCOMES.includes(to)) && (
            <Button key={to} variant="default" loading={setStatus.isPending} onClick={() => void set(to)}>
              {ACTION_NAMES[to]}
            </Button>
          ),
      )}
      <Button variant="default" onClick={onDetails}>
        Change details
      </Button>
      {next.includes("rescheduled") && (
        <Button variant="default" onClick={onReschedule}>
          Reschedule
        </Button>
      )}
      {next.includes("cancelled") && (
        <Button variant="default" color="red" onClick={onCancel}>
          Cancel the meeting
        </Button>
      )}
    </Group>
  );
}
