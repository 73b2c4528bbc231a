import type { Meeting } from "@app/shared/meetings";
import { Checkbox, Stack, TextInput } from "@mantine/core";
import { api } from "../../core/api.ts";
import { notify } from "../../core/notify.ts";
import { OpenedForm, useOpenedForm } from "../../core/opened-form.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { Section } from "../../ui/section.tsx";
import { useMeetingFacts } from "./use-meeting-facts.ts";

interface Props {
  meeting: Meeting;
  onDone: () => void;
  onBack: () => void;
}

/** Cancels a meeting with its reason; who was invited hears of it, and never why. */
export function CancelMeetingForm({ meeting, onDone, onBack }: Props) {
  const utils = api.useUtils();
  const cancel = api.meetings.cancel.useMutation();
  const form = useOpenedForm({
    record: meeting,
    facts: useMeetingFacts(),
    initialValues: { reason: "", isLate: false, isWholeSeries: false },
    validate: ({ reason }) => (reason.trim() ? {} : { reason: "Say why" }),
    submit: async (values, { id, version }, changeId) => {
      await cancel.mutateAsync({ changeId, ...values, id, version });
      await Promise.all([utils.meetings.invalidate(), utils.timeline.invalidate()]);
      notify("The meeting is cancelled");
      onDone();
    },
  });
  return (
    <Section title="Cancel the meeting" order={3}>
      <OpenedForm form={form} what="meeting" label="Cancel">
        <Stack gap="md" pt="sm">
          <TextInput
            label="Reason"
            description="Only the practice sees this. People who were invited are told only that it is cancelled"
            {...form.field("reason")}
          />
          <Checkbox label="Late cancellation" {...form.field("isLate", { type: "checkbox" })} />
          {meeting.seriesId && (
            <Checkbox
              label="Also the later ones of this series"
              {...form.field("isWholeSeries", { type: "checkbox" })}
            />
          )}
          <FormFoot onBack={onBack} isSaving={form.isSaving} isDestructive>
            Cancel the meeting
          </FormFoot>
        </Stack>
      </OpenedForm>
    </Section>
  );
}
