import type { Case, Party } from "@app/shared/cases";
import { Stack, TextInput } from "@mantine/core";
import { api } from "../../core/api.ts";
import { notify } from "../../core/notify.ts";
import { OpenedForm, useOpenedForm } from "../../core/opened-form.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { useCaseFacts } from "./case-facts.ts";
import { useCaseChanged } from "./use-case-changes.ts";

interface Props {
  theCase: Case;
  party: Party;
  onClose: () => void;
}

/** Whether somebody may have been added by mistake, as far as the case shows. */
export const mayBeTakenOut = ({ parties }: Case, { status, lastStep }: Party): boolean =>
  parties.length > 1 && status === "to_invite" && lastStep === null;

/** Takes out a party who was added by mistake; the history keeps why. */
export function TakeOutDialog({ theCase, party, onClose }: Props) {
  const changed = useCaseChanged();
  const takeOut = api.casework.takeOutParty.useMutation();
  const form = useOpenedForm({
    record: theCase,
    facts: useCaseFacts(),
    initialValues: { reason: "" },
    validate: ({ reason }): Record<string, string> =>
      reason.trim() === "" ? { reason: "Say why they are no party of this case" } : {},
    submit: async ({ reason }, { id, version }) => {
      await takeOut.mutateAsync({ id, version, partyId: party.partyId, reason });
      await changed();
      notify(`${party.label} is taken out of the case`);
      onClose();
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title={`Take ${party.name} out of the case?`} size="form">
      <OpenedForm form={form} what="case" label="Take out of the case">
        <Stack gap="lg">
          <p>
            Use this for somebody who was added by mistake and has nothing recorded. Their client record stays. The
            other parties keep their labels, and all share the costs equally again. The history keeps your reason.
          </p>
          <TextInput label="Why are they no party of this case?" {...form.field("reason")} />
          <FormFoot isSaving={form.isSaving}>Take out of the case</FormFoot>
        </Stack>
      </OpenedForm>
    </Dialog>
  );
}
