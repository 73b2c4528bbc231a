import type { MediationChoices } from "@app/shared/certificates";
import { Stack } from "@mantine/core";
import { api } from "../../core/api.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { useFormats } from "../../core/format.ts";
import { Loaded } from "../../core/loaded.tsx";
import { notify } from "../../core/notify.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Facts } from "../../ui/facts.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { Blocked, LateConfirm, ReplacedField, whyLate, whyReplaced } from "./signing-fields.tsx";

interface Props {
  caseId: string;
  partyId: string;
  /** Of whoever took part. */
  name: string;
  onClose: () => void;
}

/** What may be certified of the sessions at which somebody mediated. */
export function IssueMediationDialog({ name, ...props }: Props) {
  const { caseId, partyId } = props;
  const choices = api.certificates.mediationChoices.useQuery({ caseId, partyId }, { staleTime: 0 });
  return (
    <Dialog isOpen onClose={props.onClose} title={`Certify mediation to ${name}`} size="form">
      <Loaded query={choices} failureTitle="What can be certified could not be read">
        {(data) => <MediationForm choices={data} {...props} />}
      </Loaded>
    </Dialog>
  );
}

function MediationForm({ choices, onClose, ...whose }: Omit<Props, "name"> & { choices: MediationChoices }) {
  const formats = useFormats();
  const utils = api.useUtils();
  const issue = api.certificates.issueMediation.useMutation();
  const { sentence, firstOn, lastOn, expiresOn, late, blockers, replaces } = choices;
  const form = useServerForm({
    initialValues: { isLateConfirmed: false, replaceReason: "" },
    validate: ({ isLateConfirmed, replaceReason }) => ({
      ...whyReplaced(replaces, replaceReason),
      ...whyLate(late !== "", isLateConfirmed),
    }),
    submit: async (values, id) => {
      const { number } = await issue.mutateAsync({ id, ...whose, ...values });
      await Promise.all([utils.certificates.invalidate(), utils.partyView.invalidate(), utils.timeline.invalidate()]);
      notify(`Certificate ${number} issued`);
      onClose();
    },
  });
  if (blockers.length > 0) return <Blocked blockers={blockers} />;
  return (
    <Form form={form} label="Certificate of mediation">
      <Stack gap="lg">
        <span>{sentence}</span>
        <Facts
          labelWidth={116}
          facts={[
            { label: "First session", value: formats.calendarDay(firstOn) },
            { label: "Last session", value: formats.calendarDay(lastOn) },
            { label: "Last day", value: `${formats.calendarDay(expiresOn)}, counted from the last session` },
          ]}
        />
        {late && (
          <LateConfirm
            words={late}
            isConfirmed={form.values.isLateConfirmed}
            error={form.errors["isLateConfirmed"]}
            onChange={(isSeen) => form.setFieldValue("isLateConfirmed", isSeen)}
          />
        )}
        <ReplacedField replaces={replaces} {...form.field("replaceReason")} />
        <FormFoot isSaving={form.isSaving} isSticky>
          Issue certificate
        </FormFoot>
      </Stack>
    </Form>
  );
}
