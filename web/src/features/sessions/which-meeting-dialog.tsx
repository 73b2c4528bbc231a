import type { Case } from "@app/shared/cases";
import type { SessionMeeting } from "@app/shared/session-meetings";
import { Radio, Stack } from "@mantine/core";
import { Form, useServerForm } from "../../core/form.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { useMeetingName } from "./meeting-name.ts";

interface Props {
  theCase: Case;
  meetings: readonly SessionMeeting[];
  /** What is done with it, on the button. */
  action: string;
  onChoose: (meetingId: string | null) => Promise<void>;
  onClose: () => void;
}

const NONE = "none";

/** Who is awaited, and whether it is shuttle mediation, is known from the meeting of which a session is made. */
export function WhichMeetingDialog({ theCase, meetings, action, onChoose, onClose }: Props) {
  const nameOf = useMeetingName(theCase);
  const form = useServerForm({
    initialValues: { meeting: "" },
    validate: ({ meeting }): Record<string, string> => (meeting === "" ? { meeting: "Choose the meeting" } : {}),
    submit: ({ meeting }) => onChoose(meeting === NONE ? null : meeting),
  });
  return (
    <Dialog isOpen onClose={onClose} title="Which meeting is this session?" size="form">
      <Form form={form} label="Which meeting">
        <Stack gap="lg">
          <Radio.Group
            label="Its meeting in the calendar"
            description="The session awaits those who are asked to that meeting."
            value={form.values.meeting}
            error={form.errors["meeting"]}
            onChange={(value) => form.setFieldValue("meeting", value)}
          >
            <Stack gap="xs" pt="xs">
              {meetings.map((meeting) => (
                <Radio key={meeting.id} value={meeting.id} label={nameOf(meeting)} />
              ))}
              <Radio value={NONE} label="None of these: it is with everybody who mediates" />
            </Stack>
          </Radio.Group>
          <FormFoot isSaving={form.isSaving}>{action}</FormFoot>
        </Stack>
      </Form>
    </Dialog>
  );
}
