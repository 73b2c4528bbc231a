import { hasWord } from "@app/shared/has-word";
import type { Meeting } from "@app/shared/meetings";
import { Stack } from "@mantine/core";
import { api } from "../../core/api.ts";
import { notify } from "../../core/notify.ts";
import { OpenedForm, useOpenedForm } from "../../core/opened-form.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { Section } from "../../ui/section.tsx";
import { UnmetReasonField } from "../sessions/unmet-reason-field.tsx";
import { useMeetingFacts } from "./use-meeting-facts.ts";

interface Props {
  meeting: Meeting;
  /** What was missing then, as the server says it. */
  asked: string;
  onDone: () => void;
  onBack: () => void;
}

/** A child was heard though something was missing then: that it took place is recorded with why. */
export function ChildHeldForm({ meeting, asked, onDone, onBack }: Props) {
  const utils = api.useUtils();
  const setStatus = api.meetings.setStatus.useMutation();
  const form = useOpenedForm({
    record: meeting,
    facts: useMeetingFacts(),
    initialValues: { unmetReason: "" },
    validate: ({ unmetReason }): Record<string, string> => (hasWord(unmetReason) ? {} : { unmetReason: asked }),
    submit: async ({ unmetReason }, { id, version }) => {
      await setStatus.mutateAsync({ id, version, to: "completed", unmetReason: unmetReason.trim() });
      await Promise.all([utils.meetings.invalidate(), utils.timeline.invalidate()]);
      notify("The meeting is completed");
      onDone();
    },
  });
  return (
    <Section title="It took place" order={3}>
      <OpenedForm form={form} what="meeting" label="It took place">
        <Stack gap="md" pt="sm">
          <UnmetReasonField
            label="Why was the child heard all the same?"
            asked={asked}
            value={form.values.unmetReason}
            error={form.errors["unmetReason"]}
            onChange={(reason) => form.setFieldValue("unmetReason", reason)}
          />
          <FormFoot isSaving={form.isSaving} onBack={onBack}>
            It took place
          </FormFoot>
        </Stack>
      </OpenedForm>
    </Section>
  );
}
