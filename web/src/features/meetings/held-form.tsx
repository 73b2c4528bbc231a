import { hasWord } from "@app/shared/has-word";
import type { ATTENDANCES, Meeting } from "@app/shared/meetings";
import { Stack } from "@mantine/core";
import { api } from "../../core/api.ts";
import { notify } from "../../core/notify.ts";
import { OpenedForm, useOpenedForm } from "../../core/opened-form.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { Section } from "../../ui/section.tsx";
import { UnmetReasonField } from "../sessions/unmet-reason-field.tsx";
import { useMeetingFacts } from "./use-meeting-facts.ts";

export interface AskedWhy {
  /** What was missing then, as the server says it. */
  what: string;
  /** Who was marked as having come; null where the meeting is said to have taken place. */
  mark: { partyId: string; attendance: (typeof ATTENDANCES)[number] } | null;
}

interface Props {
  meeting: Meeting;
  asked: AskedWhy;
  onDone: () => void;
  onBack: () => void;
}

/** People met though something was missing for it then: that they did is recorded with why. */
export function HeldForm({ meeting, asked: { what, mark }, onDone, onBack }: Props) {
  const utils = api.useUtils();
  const setStatus = api.meetings.setStatus.useMutation();
  const setAttendance = api.meetings.setAttendance.useMutation();
  const form = useOpenedForm({
    record: meeting,
    facts: useMeetingFacts(),
    initialValues: { unmetReason: "" },
    validate: ({ unmetReason }): Record<string, string> => (hasWord(unmetReason) ? {} : { unmetReason: what }),
    submit: async (values, { id, version }) => {
      const unmetReason = values.unmetReason.trim();
      if (mark) await setAttendance.mutateAsync({ id, ...mark, unmetReason });
      else await setStatus.mutateAsync({ id, version, to: "completed", unmetReason });
      await Promise.all([utils.meetings.invalidate(), utils.timeline.invalidate(), utils.tasks.invalidate()]);
      notify(mark ? "It is recorded that they came" : "The meeting is completed");
      onDone();
    },
  });
  const name = mark ? "They came" : "It took place";
  return (
    <Section title={name} order={3}>
      <OpenedForm form={form} what="meeting" label={name}>
        <Stack gap="md" pt="sm">
          <UnmetReasonField
            label={meeting.type === "cim" ? "Why was the child heard all the same?" : "Why did they meet all the same?"}
            asked={what}
            value={form.values.unmetReason}
            error={form.errors["unmetReason"]}
            onChange={(reason) => form.setFieldValue("unmetReason", reason)}
          />
          <FormFoot isSaving={form.isSaving} onBack={onBack}>
            {name}
          </FormFoot>
        </Stack>
      </OpenedForm>
    </Section>
  );
}
