import { CASE_STATUS_NAMES, partyStatusName } from "@app/shared/case-states";
import type { Case, Party } from "@app/shared/cases";
import { Stack, TextInput } from "@mantine/core";
import { api } from "../../core/api.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { notify } from "../../core/notify.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { useCaseChanged } from "./use-case-changes.ts";

interface Props {
  theCase: Case;
  /** Null for the case itself. */
  party: Party | null;
  onClose: () => void;
}

/** What the last step was, in words; empty where none can be taken back. */
export function lastStepOf({ theCase, party }: Pick<Props, "theCase" | "party">): string {
  if (party)
    return party.lastStep
      ? `${party.label} goes back from "${partyStatusName(theCase.domain, party.lastStep.to)}" to "${partyStatusName(theCase.domain, party.lastStep.from)}".`
      : "";
  const { lastStep } = theCase;
  return lastStep
    ? `The case goes back from "${CASE_STATUS_NAMES[lastStep.to]}" to "${CASE_STATUS_NAMES[lastStep.from]}".`
    : "";
}

/** Takes a step back that was wrong; the history keeps both. */
export function CorrectStepDialog({ theCase, party, onClose }: Props) {
  const changed = useCaseChanged();
  const correct = api.casework.correct.useMutation();
  const form = useServerForm({
    initialValues: { reason: "" },
    validate: ({ reason }): Record<string, string> => (reason.trim() === "" ? { reason: "Say what was wrong" } : {}),
    submit: async ({ reason }) => {
      const { id, version } = theCase;
      await correct.mutateAsync({ id, version, partyId: party?.partyId ?? "", reason });
      await changed();
      notify("The last step is taken back");
      onClose();
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title="Take the last step back" size="form">
      <Form form={form} label="Take the last step back">
        <Stack gap="lg">
          <p>{lastStepOf({ theCase, party })} The history keeps both, with your reason.</p>
          <TextInput label="What was wrong?" {...form.field("reason")} />
          <FormFoot isSaving={form.isSaving}>Take it back</FormFoot>
        </Stack>
      </Form>
    </Dialog>
  );
}
