import type { Case } from "@app/shared/cases";
import { Button, Group, Stack } from "@mantine/core";
import { api } from "../../core/api.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { notify } from "../../core/notify.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { BackButton } from "../../ui/form-foot.tsx";
import { TextLink } from "../../ui/links.tsx";
import { ContactSelect } from "./contact-select.tsx";
import { type LinkChoice, LinkFields, ROLE_MISSING } from "./link-fields.tsx";
import { useLinksChanged } from "./use-links.ts";

/** Adds a contact that is looked for here to a case. */
export function LinkContactDialog({ theCase, onClose }: { theCase: Case; onClose: () => void }) {
  const changed = useLinksChanged();
  const link = api.contacts.link.useMutation();
  const form = useServerForm<LinkChoice & { id: string; name: string }>({
    initialValues: { id: "", name: "", role: "", partyId: "" },
    validate: ({ id, role }): Record<string, string> => ({
      ...(id ? {} : { id: "Choose a contact" }),
      ...(role === "" ? { role: ROLE_MISSING } : {}),
    }),
    submit: async ({ id, name, role, partyId }, changeId) => {
      if (role === "") return;
      await link.mutateAsync({ changeId, id, caseId: theCase.id, role, partyId: partyId || null });
      await changed();
      notify(`${name} is added to the case`);
      onClose();
    },
  });
  const { id, role, partyId } = form.values;
  return (
    <Dialog isOpen onClose={onClose} title="Add a person to this case">
      <Form form={form} label="Add a person">
        <Stack gap="lg">
          <ContactSelect
            value={id}
            onChange={(contact) =>
              form.setValues((before) => ({
                ...before,
                id: contact?.id ?? "",
                name: contact?.displayName ?? "",
                role: contact?.roles[0] ?? before.role,
              }))
            }
            error={form.errors["id"]}
          />
          <LinkFields
            theCase={theCase}
            value={{ role, partyId }}
            roleError={form.errors["role"]}
            onChange={(choice) => form.setValues((before) => ({ ...before, ...choice }))}
          />
          <Group justify="space-between">
            <TextLink to="/contacts" search={{ add: true }} fz="sm">
              Not in your contacts yet?
            </TextLink>
            <Group gap="sm">
              <BackButton />
              <Button type="submit" loading={form.isSaving}>
                Add to the case
              </Button>
            </Group>
          </Group>
        </Stack>
      </Form>
    </Dialog>
  );
}
