import type { Case } from "@app/shared/cases";
import { NativeSelect, Stack } from "@mantine/core";
import { api } from "../../core/api.ts";
import { notify } from "../../core/notify.ts";
import { OpenedForm, useOpenedForm } from "../../core/opened-form.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { choicesOf, pick, ROLE_NAMES } from "../cases/case-words.ts";
import { ClientSelect, notChosen } from "../cases/client-select.tsx";
import { useCaseFacts } from "./case-facts.ts";
import { SideField } from "./side-field.tsx";
import { useCaseChanged } from "./use-case-changes.ts";

interface Values {
  clientId: string;
  /** What was looked for, where nobody was chosen. */
  typed: string;
  role: keyof typeof ROLE_NAMES | "";
  side: string;
}

export function AddPartyDialog({ theCase, onClose }: { theCase: Case; onClose: () => void }) {
  const changed = useCaseChanged();
  const add = api.casework.addParty.useMutation();
  const form = useOpenedForm<Case, Values>({
    record: theCase,
    facts: useCaseFacts(),
    initialValues: { clientId: "", typed: "", role: "", side: "" },
    validate: ({ clientId, typed, role }): Record<string, string> => ({
      ...(clientId ? {} : { clientId: typed ? notChosen(typed) : "Choose a client" }),
      ...(role === "" ? { role: "Choose a role" } : {}),
    }),
    submit: async ({ clientId, role, side }, { id, version }, changeId) => {
      if (role === "") return;
      await add.mutateAsync({ changeId, id, version, party: { clientId, role, side } });
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
            data={choicesOf(ROLE_NAMES, form.values.role)}
            value={form.values.role}
            error={form.errors["role"]}
            onChange={(event) => form.setFieldValue("role", pick(ROLE_NAMES, event.currentTarget.value))}
          />
          <SideField theCase={theCase} {...form.field("side")} />
          <FormFoot isSaving={form.isSaving}>Add party</FormFoot>
        </Stack>
      </OpenedForm>
    </Dialog>
  );
}
