import type { Contact } from "@app/shared/contacts";
import { Stack } from "@mantine/core";
import { api } from "../../core/api.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { notify } from "../../core/notify.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { CaseSelect } from "../cases/case-select.tsx";
import { type LinkChoice, LinkFields, ROLE_MISSING } from "./link-fields.tsx";
import { useLinksChanged } from "./use-links.ts";

/** Adds a contact to a case that is looked for here. */
export function LinkToCaseDialog({ contact, onClose }: { contact: Contact; onClose: () => void }) {
  const changed = useLinksChanged();
  const link = api.contacts.link.useMutation();
  const form = useServerForm<LinkChoice & { caseId: string }>({
    initialValues: { caseId: "", role: contact.roles[0] ?? "", partyId: "" },
    validate: ({ caseId, role }): Record<string, string> => ({
      ...(caseId ? {} : { caseId: "Choose a case" }),
      ...(caseId && role === "" ? { role: ROLE_MISSING } : {}),
    }),
    submit: async ({ caseId, role, partyId }, changeId) => {
      if (role === "") return;
      await link.mutateAsync({ changeId, caseId, role, id: contact.id, partyId: partyId || null });
      await changed();
      notify(`${contact.displayName} is added to the case`);
      onClose();
    },
  });
  const { caseId, role, partyId } = form.values;
  const theCase = api.cases.get.useQuery({ id: caseId }, { enabled: caseId !== "" });
  return (
    <Dialog isOpen onClose={onClose} title={`Add ${contact.displayName} to a case`}>
      <Form form={form} label="Add to a case">
        <Stack gap="lg">
          <CaseSelect
            label="Case"
            value={caseId}
            onChange={(id) => form.setValues((before) => ({ ...before, caseId: id, partyId: "" }))}
            error={form.errors["caseId"]}
          />
          {theCase.data && (
            <LinkFields
              theCase={theCase.data}
              value={{ role, partyId }}
              roleError={form.errors["role"]}
              onChange={(choice) => form.setValues((before) => ({ ...before, ...choice }))}
            />
          )}
          <FormFoot isSaving={form.isSaving}>Add to the case</FormFoot>
        </Stack>
      </Form>
    </Dialog>
  );
}
