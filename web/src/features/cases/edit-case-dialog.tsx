import type { Case, CaseFields } from "@app/shared/cases";
import { Button, Group, Stack } from "@mantine/core";
import { api } from "../../core/api.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { notify } from "../../core/notify.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { CaseFieldset } from "./case-fields.tsx";
import { ChildrenFields } from "./children-fields.tsx";
import { useCaseChanged } from "./use-case-changes.ts";

const fieldsOf = (theCase: Case): CaseFields => ({
  domain: theCase.domain,
  issueScope: theCase.issueScope,
  matter: theCase.matter,
  format: theCase.format,
  mediators: theCase.mediators,
  children: theCase.children,
  referral: theCase.referral,
  flags: theCase.flags,
  startedOn: theCase.startedOn,
  nextReviewOn: theCase.nextReviewOn,
});

export function EditCaseDialog({ theCase, onClose }: { theCase: Case; onClose: () => void }) {
  const changed = useCaseChanged();
  const update = api.cases.update.useMutation();
  const form = useServerForm({
    initialValues: fieldsOf(theCase),
    submit: async (fields) => {
      await update.mutateAsync({ ...fields, id: theCase.id, version: theCase.version });
      await changed();
      notify(`Case ${theCase.caseRef} is saved`);
      onClose();
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title={`Case ${theCase.caseRef}`} size="form">
      <Form form={form} label="Case">
        <Stack gap="lg">
          <CaseFieldset form={form} />
          <ChildrenFields
            items={form.values.children}
            errors={form.errors}
            onChange={(items) => form.setFieldValue("children", items)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Go back
            </Button>
            <Button type="submit" loading={form.isSaving}>
              Save
            </Button>
          </Group>
        </Stack>
      </Form>
    </Dialog>
  );
}
