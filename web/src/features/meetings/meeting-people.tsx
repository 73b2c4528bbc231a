import { INVITATION_REPLY_NAMES, type InvitationReply } from "@app/shared/meeting-states";
import { ATTENDANCES, type Meeting } from "@app/shared/meetings";
import { Group, SegmentedControl, Stack } from "@mantine/core";
import { api } from "../../core/api.ts";
import { fieldErrorsOf, messageOf } from "../../core/errors.ts";
import { useFormats } from "../../core/format.ts";
import { notifyError } from "../../core/notify.ts";
import { Chip } from "../../ui/chip.tsx";
import { TextLink } from "../../ui/links.tsx";
import { PartyMarker } from "../../ui/party-marker.tsx";
import { Section } from "../../ui/section.tsx";
import { AgreedTime } from "./agreed-time.tsx";
import type { AskedWhy } from "./held-form.tsx";
import { UnprovedReply } from "./unproved-reply.tsx";

const ATTENDANCE_NAMES = { present: "Present", late: "Late", no_show: "No-show" } as const;

interface Props {
  meeting: Meeting;
  mayManage: boolean;
  /** A session was held at it, which says who came. */
  isHeld: boolean;
  /** The server asks why they met all the same. */
  onAsked: (asked: AskedWhy) => void;
}

/** Who comes, what they answered, and whether they came. */
export function MeetingPeople({ meeting, mayManage, isHeld, onAsked }: Props) {
  const formats = useFormats();
  const utils = api.useUtils();
  const mark = api.meetings.setAttendance.useMutation({
    onSettled: () => Promise.all([utils.meetings.invalidate(), utils.assessments.invalidate()]),
  });
  if (meeting.people.length === 0) return null;
  const set = async (partyId: string, value: string) => {
    const attendance = ATTENDANCES.find((known) => known === value);
    if (!attendance) return;
    try {
      await mark.mutateAsync({ id: meeting.id, partyId, attendance });
    } catch (error) {
      const { unmetReason: what } = fieldErrorsOf(error);
      if (what === undefined) notifyError(messageOf(error));
      else onAsked({ what, mark: { partyId, attendance } });
    }
  };
  const arrivalOf = (partyId: string) => {
    const arrival = meeting.arrivals.find((one) => one.partyId === partyId);
    return arrival ? new Date(Date.parse(meeting.startsAt) - arrival.minutesBefore * 60_000).toISOString() : null;
  };
  return (
    <Section title="Who comes" order={3}>
      <Stack gap="xs" pt="xs">
        {meeting.people.map(({ partyId, clientId, label, name }) => {
          const arrivesAt = arrivalOf(partyId);
          const marked = meeting.attendance.find((one) => one.partyId === partyId)?.attendance;
          return (
            <Stack key={clientId} gap={4}>
              <Group gap="sm">
                {label && <PartyMarker label={label} />}
                <TextLink to="/clients/view/$id" params={{ id: clientId }} style={{ flex: 1 }}>
                  {name}
                </TextLink>
                <Reply reply={meeting.replies.find((one) => one.partyId === partyId)?.reply} />
                {arrivesAt && <span className="quiet-text">arrives {formats.time(arrivesAt)}</span>}
                {isHeld && marked && <span className="quiet-text">{ATTENDANCE_NAMES[marked]}</span>}
                {mayManage && !isHeld && partyId && (
                  <SegmentedControl
                    size="xs"
                    aria-label={`Attendance of ${name}`}
                    data={[
                      { value: "", label: "Open" },
                      ...ATTENDANCES.map((value) => ({ value, label: ATTENDANCE_NAMES[value] })),
                    ]}
                    value={marked ?? ""}
                    onChange={(value) => void set(partyId, value)}
                  />
                )}
              </Group>
              <AgreedTime meeting={meeting} partyId={partyId} mayManage={mayManage} />
              <UnprovedReply meeting={meeting} partyId={partyId} name={name} mayManage={mayManage} />
            </Stack>
          );
        })}
      </Stack>
    </Section>
  );
}

/** What their calendar answered to the invitation. */
const Reply = ({ reply }: { reply: InvitationReply | undefined }) =>
  reply ? <Chip tone={reply === "accepted" ? "plain" : "outline"}>{INVITATION_REPLY_NAMES[reply]}</Chip> : null;
