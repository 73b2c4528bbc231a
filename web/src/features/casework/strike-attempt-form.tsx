import type { Case } from "@app/shared/cases";
import { type Attempt, ATTEMPT_REASON_MAX_LENGTH } from "@app/shared/ladders";
import { Stack, TextInput } from "@mantine/core";
import { api } from "../../core/api.ts";
import { notify } from "../../core/notify.ts";
import { OpenedForm, useOpenedForm } from "../../core/opened-form.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { useCaseFacts } from "./case-facts.ts";
import { useCaseChanged } from "./use-case-changes.ts";

interface Props {
  theCase: Case;
  attempt: Attempt;
  onBack: () => void;
}

/** An invitation that was recorded in error counts for nothing any more. */
export function StrikeAttemptForm({ theCase, attempt, onBack }: Props) {
  const changed = useCaseChanged();
  const strike = api.casework.strikeInvitation.useMutation();
  const form = useOpenedForm({
    record: theCase,
    facts: useCaseFacts(),
    initialValues: { reason: "" },
    submit: async ({ reason }, { id, version }) => {
      await strike.mutateAsync({ id, version, attemptId: attempt.id, reason });
      await changed();
      notify("The invitation is struck");
      onBack();
    },
  });
  return (
    <OpenedForm form={form} what="case" label="Strike this invitation">
      <Stack gap="md" pt="sm">
        <TextInput
          label="Why was it recorded in error?"
          description="Strike it only if it was never made. It can still be read but no longer counts."
          maxLength={ATTEMPT_REASON_MAX_LENGTH}
          {...form.field("reason")}
        />
        <FormFoot isSaving={form.isSaving} isDestructive onBack={onBack}>
          Strike the invitation
        </FormFoot>
      </Stack>
    </OpenedForm>
  );
}
