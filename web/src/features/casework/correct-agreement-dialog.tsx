import type { Case } from "@app/shared/cases";
import { type Confidences, confidencesName } from "@app/shared/confidences";
import { hasWord } from "@app/shared/has-word";
import { Stack, TextInput } from "@mantine/core";
import { api } from "../../core/api.ts";
import { notify } from "../../core/notify.ts";
import { OpenedForm, useOpenedForm } from "../../core/opened-form.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { useCaseFacts } from "./case-facts.ts";
import { ConfidencesField } from "./confidences-field.tsx";
import { useCaseChanged } from "./use-case-changes.ts";

/** Puts right what was noted of the agreement that everybody signed; nobody signs anything anew. */
export function CorrectAgreementDialog({ theCase, onClose }: { theCase: Case; onClose: () => void }) {
  const changed = useCaseChanged();
  const correct = api.casework.correctAgreement.useMutation();
  const form = useOpenedForm<Case, { to: Confidences | ""; reason: string }>({
    record: theCase,
    facts: useCaseFacts(),
    initialValues: { to: "", reason: "" },
    validate: ({ to, reason }): Record<string, string> => ({
      ...(to === "" ? { to: "Choose what it says" } : {}),
      ...(hasWord(reason) ? {} : { reason: "Say what was wrong" }),
    }),
    submit: async ({ to, reason }, { id, version }) => {
      if (to === "") return;
      await correct.mutateAsync({ id, version, to, reason });
      await changed();
      notify("What the agreement says is corrected");
      onClose();
    },
  });
  const { opened } = form;
  return (
    <Dialog isOpen onClose={onClose} title="Correct what the agreement says" size="form">
      <OpenedForm form={form} what="case" label="Correct what the agreement says">
        <Stack gap="lg">
          <p>
            Recorded: {confidencesName(opened.confidences)}. Correct it only where the agreement that was signed says
            something else: where other words were signed since, record a new agreement.
          </p>
          <ConfidencesField domain={opened.domain} {...form.field("to")} />
          <TextInput label="What was wrong?" maxLength={200} {...form.field("reason")} />
          <FormFoot isSaving={form.isSaving}>Correct it</FormFoot>
        </Stack>
      </OpenedForm>
    </Dialog>
  );
}
