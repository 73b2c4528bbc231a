import { mayMediate } from "@app/shared/team-access";
import type { Case, CreateCase } from "@app/shared/cases";
import type { CurrentUser } from "@app/shared/users";
import { Stack } from "@mantine/core";
import { api } from "../../core/api.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { notify } from "../../core/notify.ts";
import { useCurrentUser } from "../../core/session.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { CaseFieldset } from "./case-fields.tsx";
import { ClientSelect, notChosen } from "../cases/client-select.tsx";
import { type CaseValues, chosenIn, missingChoices } from "./case-record.ts";

interface Props {
  client: { id: string; name: string };
  onClose: () => void;
  onOpened: (theCase: Case) => void;
}

/** Opens a case that this client brings; the other party may be added at once or later. */
export function OpenCaseDialog({ client, onClose, onOpened }: Props) {
  const user = useCurrentUser();
  const utils = api.useUtils();
  const create = api.casework.create.useMutation();
  const form = useServerForm({
    initialValues: { ...emptyCase(user.mediatorType, user), otherId: "", otherTyped: "" },
    validate: ({ otherTyped, ...fields }) => ({
      ...(otherTyped ? { otherId: notChosen(otherTyped) } : {}),
      ...missingChoices(fields),
    }),
    submit: async ({ otherId, otherTyped: _nobody, ...fields }, id) => {
      const chosen = chosenIn(fields);
      if (!chosen) return;
      const parties = partiesOf(client.id, otherId);
      const made = await create.mutateAsync({ id, ...fields, ...chosen, caseRef: "", parties });
      await Promise.all([
        utils.cases.invalidate(),
        utils.tasks.invalidate(),
        utils.conflicts.invalidate(),
        utils.timeline.invalidate(),
      ]);
      notify(`Case ${made.caseRef} is open. Decide its conflict check next.`);
      onOpened(made);
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title={`Open a case for ${client.name}`} size="form">
      <Form form={form} label="New case">
        <Stack gap="lg">
          <ClientSelect
            label="Other participant (optional)"
            value={form.values.otherId}
            onChange={(id) => form.setFieldValue("otherId", id)}
            onLeft={(typed) => form.setFieldValue("otherTyped", typed)}
            exceptIds={[client.id]}
            error={form.errors["otherId"]}
          />
          <CaseFieldset form={form} mayChooseTeam={mayMediate(user.role)} />
          <FormFoot isSaving={form.isSaving}>Open case</FormFoot>
        </Stack>
      </Form>
    </Dialog>
  );
}

export const emptyCase = (
  domain: CreateCase["domain"],
  { userId, role }: Pick<CurrentUser, "userId" | "role">,
): CaseValues => ({
  domain,
  issueScope: "",
  matter: "",
  format: "",
  mediators: mayMediate(role) ? [{ userId, isLead: true }] : [],
  staffIds: [],
  children: [],
  referral: { source: "", contactId: "", campaign: "" },
  flags: { safeguarding: "not_assessed", isUrgent: false, mustNotMeet: false },
  startedOn: "",
  nextReviewOn: "",
});

export const partiesOf = (clientId: string, otherId: string): CreateCase["parties"] => [
  { clientId, role: "initiator", side: "" },
  ...(otherId ? [{ clientId: otherId, role: "respondent" as const, side: "" }] : []),
];
