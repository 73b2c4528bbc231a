import type { Case } from "@app/shared/cases";
import type { SessionMeeting } from "@app/shared/session-meetings";
import { Select, Stack } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { useCurrentUser } from "../../core/session.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { checkWhen, whenOf } from "../../ui/when-fields.tsx";
import { heldOf, HeldFields, NO_TIME } from "./held-fields.tsx";
import { useMeetingName } from "./meeting-name.ts";

interface Props {
  theCase: Case;
  onClose: () => void;
}

/** A session that took place already, such as one that was written on paper. */
export function RecordSessionDialog({ theCase, onClose }: Props) {
  const { timeZone } = useCurrentUser();
  const utils = api.useUtils();
  const navigate = useNavigate();
  const record = api.sessions.record.useMutation();
  const meetings = useHeldMeetings(theCase);
  const form = useServerForm({
    initialValues: { meetingId: "", when: NO_TIME, unmetReason: "" },
    validate: ({ when }) => checkWhen(when),
    submit: async ({ meetingId, ...held }, id) => {
      const sent = { id, caseId: theCase.id, meetingId: meetingId || null, ...heldOf(timeZone, held) };
      const session = await record.mutateAsync(sent);
      utils.sessions.get.setData({ id: session.id }, session);
      await Promise.all([utils.sessions.ofCase.invalidate(), utils.timeline.invalidate(), utils.tasks.invalidate()]);
      await navigate({ to: "/sessions/$id", params: { id: session.id } });
    },
  });
  function choose(meetingId: string | null) {
    form.setFieldValue("meetingId", meetingId ?? "");
    const meeting = meetings?.find(({ id }) => id === meetingId);
    if (meeting) form.setFieldValue("when", whenOf(timeZone, meeting.startsAt, meeting.endsAt));
  }
  return (
    <Dialog isOpen onClose={onClose} title="Record a past session" size="form">
      <Form form={form} label="Past session">
        <Stack gap="lg">
          <MeetingSelect theCase={theCase} meetings={meetings} value={form.values.meetingId} onChange={choose} />
          <HeldFields
            value={form.values}
            errors={form.errors}
            onWhen={(when) => form.setFieldValue("when", when)}
            onReason={(reason) => form.setFieldValue("unmetReason", reason)}
          />
          <p className="quiet-text">Then say who came, what came of it, and lock it.</p>
          <FormFoot isSaving={form.isSaving}>Record session</FormFoot>
        </Stack>
      </Form>
    </Dialog>
  );
}

/** Meetings of this case that are over, whoever was asked to them, the last one first; undefined until they are known. */
function useHeldMeetings({ id }: Case): SessionMeeting[] | undefined {
  const [now] = useState(() => new Date().toISOString());
  const query = api.sessions.meetings.useQuery({ id });
  return query.data?.items.filter(
    ({ startsAt, status }) => startsAt < now && (status === "confirmed" || status === "completed"),
  );
}

interface SelectProps {
  theCase: Case;
  meetings: SessionMeeting[] | undefined;
  value: string;
  onChange: (meetingId: string | null) => void;
}

function MeetingSelect({ theCase, meetings, value, onChange }: SelectProps) {
  const nameOf = useMeetingName(theCase);
  return (
    <Select
      label="Its meeting in the calendar (optional)"
      placeholder="None"
      nothingFoundMessage={meetings && "No past meeting of this case"}
      clearable
      data={(meetings ?? []).map((meeting) => ({ value: meeting.id, label: nameOf(meeting) }))}
      value={value || null}
      onChange={onChange}
    />
  );
}
