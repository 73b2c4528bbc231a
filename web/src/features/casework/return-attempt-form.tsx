import type { Case } from "@app/shared/cases";
import type { Attempt } from "@app/shared/ladders";
import { Stack, TextInput } from "@mantine/core";
import { api } from "../../core/api.ts";
import { notify } from "../../core/notify.ts";
import { OpenedForm, useOpenedForm } from "../../core/opened-form.tsx";
import { useToday } from "../../core/today.ts";
import { FormFoot } from "../../ui/form-foot.tsx";
import { useCaseFacts } from "./case-facts.ts";
import { useCaseChanged } from "./use-case-changes.ts";

interface Props {
  theCase: Case;
  attempt: Attempt;
  onBack: () => void;
}

/** An invitation that was made and reached nobody; or that it did, where the opposite was noted by mistake. */
export function ReturnAttemptForm({ theCase, attempt, onBack }: Props) {
  const today = useToday();
  const changed = useCaseChanged();
  const note = api.casework.returnInvitation.useMutation();
  const isNoted = attempt.cameBackOn !== "";
  const form = useOpenedForm({
    record: theCase,
    facts: useCaseFacts(),
    initialValues: { on: isNoted ? "" : today },
    validate: ({ on }): Record<string, string> => (isNoted || on !== "" ? {} : { on: "Enter the day" }),
    submit: async ({ on }, { id, version }) => {
      await note.mutateAsync({ id, version, attemptId: attempt.id, on });
      await changed();
      notify(isNoted ? "The invitation counts again" : "The invitation counts as one that reached nobody");
      onBack();
    },
  });
  return (
    <OpenedForm form={form} what="case" label="Whether this invitation came back">
      <Stack gap="md" pt="sm">
        {isNoted ? (
          <p className="quiet-text">It counts again as an invitation that may have reached them.</p>
        ) : (
          <TextInput
            label="When did you learn that it came back, or was not delivered?"
            description="It can still be read but no longer counts as an invitation that reached them."
            type="date"
            min={attempt.on}
            max={today}
            {...form.field("on")}
          />
        )}
        <FormFoot isSaving={form.isSaving} onBack={onBack}>
          {isNoted ? "It did not come back" : "Note that it came back"}
        </FormFoot>
      </Stack>
    </OpenedForm>
  );
}
