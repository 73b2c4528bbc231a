import type { Case } from "@app/shared/cases";
import { type Confidences, confidencesName } from "@app/shared/confidences";
import { Button, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { notify } from "../../core/notify.ts";
import { OpenedForm, useOpenedForm } from "../../core/opened-form.tsx";
import { useToday } from "../../core/today.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { CASE_FACTS } from "./case-facts.ts";
import { ConfidencesField } from "./confidences-field.tsx";
import { CorrectStepDialog } from "./correct-step-dialog.tsx";
import { useCaseChanged } from "./use-case-changes.ts";

interface Props {
  theCase: Case;
  onClose: () => void;
}

interface Values {
  to: Confidences | "";
  on: string;
  reason: string;
}

/** A new agreement in place of the one that was signed. What was said in confidence before stays so. */
export function ConfidencesDialog({ theCase, onClose }: Props) {
  const [isCorrecting, setIsCorrecting] = useState(false);
  const today = useToday();
  const changed = useCaseChanged();
  const change = api.casework.changeConfidences.useMutation();
  const form = useOpenedForm<Case, Values>({
    record: theCase,
    facts: CASE_FACTS,
    initialValues: { to: "", on: today, reason: "" },
    validate: ({ to, reason }): Record<string, string> => ({
      ...(to === "" ? { to: "Choose what the new agreement says" } : {}),
      ...(reason.trim() === "" ? { reason: "Say why there is a new agreement" } : {}),
    }),
    submit: async ({ to, on, reason }, { id, version }) => {
      if (to === "") return;
      await change.mutateAsync({ id, version, to, on, reason });
      await changed();
      notify("The new agreement is recorded");
      onClose();
    },
  });
  if (isCorrecting) return <CorrectStepDialog theCase={theCase} party={null} of="confidences" onClose={onClose} />;
  const isCorrectable = form.opened.agreements.at(-1)?.partyId === null;
  return (
    <Dialog isOpen onClose={onClose} title="New agreement about confidences" size="form">
      <OpenedForm form={form} what="case" label="New agreement about confidences">
        <Stack gap="lg">
          <p>
            Now: {confidencesName(form.opened.confidences)}. Whatever was said in confidence until now stays in
            confidence.
          </p>
          <ConfidencesField domain={theCase.domain} {...form.field("to")} />
          <TextInput label="Agreed on" type="date" max={today} {...form.field("on")} />
          <TextInput label="Why?" {...form.field("reason")} />
          <FormFoot isSaving={form.isSaving}>Record the new agreement</FormFoot>
          {isCorrectable && (
            <Button variant="default" onClick={() => setIsCorrecting(true)}>
              Take the last new agreement back
            </Button>
          )}
        </Stack>
      </OpenedForm>
    </Dialog>
  );
}
