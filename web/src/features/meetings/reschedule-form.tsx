import type { Meeting } from "@app/shared/meetings";
import { Checkbox, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { useFormats } from "../../core/format.ts";
import { notify } from "../../core/notify.ts";
import { OpenedForm, useOpenedForm } from "../../core/opened-form.tsx";
import { useCurrentUser } from "../../core/session.ts";
import { FormFoot } from "../../ui/form-foot.tsx";
import { Section } from "../../ui/section.tsx";
import { AgainstReason } from "./against-reason.tsx";
import { isMediatorTaken } from "./is-mediator-taken.ts";
import { useMeetingFacts } from "./use-meeting-facts.ts";
import { checkWhen, instantsOf, WhenFields, whenOf } from "../../ui/when-fields.tsx";

interface Props {
  meeting: Meeting;
  onDone: () => void;
  onBack: () => void;
}

/** Another time for a meeting; who was invited gets the new one. */
export function RescheduleForm({ meeting, onDone, onBack }: Props) {
  const { timeZone } = useCurrentUser();
  const formats = useFormats();
  const utils = api.useUtils();
  const reschedule = api.meetings.reschedule.useMutation();
  const [isTaken, setIsTaken] = useState(false);
  const form = useOpenedForm({
    record: meeting,
    facts: useMeetingFacts(),
    initialValues: {
      when: whenOf(timeZone, meeting.startsAt, meeting.endsAt),
      reason: "",
      allowsOverlap: false,
      againstMeasures: "",
    },
    validate: ({ when }) => checkWhen(when),
    submit: async ({ when, ...values }, { id, version }, changeId) => {
      try {
        const moved = await reschedule.mutateAsync({
          changeId,
          ...values,
          ...instantsOf(timeZone, when),
          id,
          version,
        });
        await Promise.all([utils.meetings.invalidate(), utils.timeline.invalidate()]);
        notify(`Moved to ${formats.dateTime(moved.startsAt)}`);
        onDone();
      } catch (error) {
        setIsTaken(isMediatorTaken(error));
        throw error;
      }
    },
  });
  return (
    <Section title="Reschedule" order={3}>
      <OpenedForm form={form} what="meeting" label="New time">
        <Stack gap="md" pt="sm">
          <WhenFields
            value={form.values.when}
            errors={form.errors}
            onChange={(when) => form.setFieldValue("when", when)}
          />
          <TextInput label="Reason (optional)" {...form.field("reason")} />
          {(form.values.againstMeasures || form.errors["againstMeasures"]) && (
            <AgainstReason {...form.field("againstMeasures")} />
          )}
          {isTaken && (
            <Checkbox
              label="Book it although the mediator is busy then"
              {...form.field("allowsOverlap", { type: "checkbox" })}
            />
          )}
          <FormFoot onBack={onBack} isSaving={form.isSaving}>
            Move the meeting
          </FormFoot>
        </Stack>
      </OpenedForm>
    </Section>
  );
}
