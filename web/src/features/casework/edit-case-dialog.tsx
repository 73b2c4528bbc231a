import { answersFor } from "@app/shared/team-access";
import type { Case, CaseFields } from "@app/shared/cases";
import { Stack } from "@mantine/core";
import { api } from "../../core/api.ts";
import { notify } from "../../core/notify.ts";
import { useCurrentUser } from "../../core/session.ts";
import { useVersionedForm, VersionedForm } from "../../core/versioned-form.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { CaseFieldset } from "./case-fields.tsx";
import { caseFields, recordOf } from "./case-record.ts";
import { ChildrenFields } from "./children-fields.tsx";
import { useCaseChanged } from "./use-case-changes.ts";

export function EditCaseDialog({ theCase, onClose }: { theCase: Case; onClose: () => void }) {
  const changed = useCaseChanged();
  const update = api.casework.update.useMutation();
  const utils = api.useUtils();
  const user = useCurrentUser();
  const people = api.users.colleagues.useQuery();
  const nameOf = (id: string) => people.data?.items.find(({ userId }) => userId === id)?.name ?? "Somebody who left";
  const stored = recordOf(theCase);
  const form = useVersionedForm<CaseFields>({
    fields: caseFields(nameOf),
    stored,
    read: async () => recordOf(await utils.cases.get.fetch({ id: theCase.id }, { staleTime: 0 })),
    async send(values, version) {
      const saved = await update.mutateAsync({ ...values, id: theCase.id, version });
      await changed();
      notify(`Case ${theCase.caseRef} is saved`);
      onClose();
      return recordOf(saved);
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title={`Case ${theCase.caseRef}`} size="form">
      <VersionedForm form={form} what="case" label="Case">
        <Stack gap="lg">
          <CaseFieldset form={form} mayChooseTeam={answersFor(user, theCase.mediators)} />
          {(form.values.domain === "family" || form.values.children.length > 0) && (
            <ChildrenFields
              parties={theCase.parties}
              items={form.values.children}
              errors={form.errors}
              onChange={(items) => form.setFieldValue("children", items)}
            />
          )}
          <FormFoot isSaving={form.newer.isSaving}>Save</FormFoot>
        </Stack>
      </VersionedForm>
    </Dialog>
  );
}
