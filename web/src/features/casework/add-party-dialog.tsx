import type { Case } from "@app/shared/cases";
import { NativeSelect, Stack } from "@mantine/core";
import { api } from "../../core/api.ts";
import { notify } from "../../core/notify.ts";
import { OpenedForm, useOpenedForm } from "../../core/opened-form.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { optionsOf, pick, ROLE_NAMES } from "../cases/case-words.ts";
import { ClientSelect, notChosen } from "../cases/client-select.tsx";
import { useCaseFacts } from "./case-facts.ts";
import { SideField } from "./side-field.tsx";
import { useCaseChanged } from "./use-case-changes.ts";

export function AddPartyDialog({ theCase, onClose }: { theCase: Case; onClose: () => void }) {
  const changed = useCaseChanged();
  const add = api.casework.addParty.useMutation();
  const form = useOpenedForm({
    record: theCase,
    facts: useCaseFacts(),
    initialValues: { clientId: "", typed: "", role: "respondent" as keyof typeof ROLE_NAMES, side: "" },
    validate: ({ clientId, typed }) => (clientId ? {} : { clientId: typed ? notChosen(typed) : "Choose a client" }),
    submit: async ({ typed: _nobody, ...party }, { id, version }, changeId) => {
      await add.mutateAsync({ changeId, id, version, party });
      await changed();
      notify("The party was added. Decide the conflict check again.");
      onClose();
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title={`Add a party to ${theCase.caseRef}`}>
      <OpenedForm form={form} what="case" label="New party">
        <Stack gap="lg">
          <ClientSelect
            label="Client"
            value={form.values.clientId}
            onChange={(id) => form.setFieldValue("clientId", id)}
            onLeft={(typed) => form.setFieldValue("typed", typed)}
            exceptIds={theCase.parties.map(({ clientId }) => clientId)}
            error={form.errors["clientId"]}
          />
          <NativeSelect
            label="Role"
            data={optionsOf(ROLE_NAMES)}
            value={form.values.role}
            onChange={(event) => form.setFieldValue("role", pick(ROLE_NAMES, event.currentTarget.value))}
          />
          <SideField theCase={theCase} {...form.field("side")} />
          <FormFoot isSaving={form.isSaving}>Add party</FormFoot>
        </Stack>
      </OpenedForm>
    </Dialog>
  );
}
