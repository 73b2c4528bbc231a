import type { Case } from "@app/shared/cases";
import { allowedReasons, CERTIFICATE_REASON_NAMES, type CertificateReason } from "@app/shared/certificates";
import { Radio, Stack, TextInput } from "@mantine/core";
import { api } from "../../core/api.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { notify } from "../../core/notify.ts";
import { useToday } from "../../core/today.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";

interface Props {
  theCase: Case;
  partyId: string;
  onClose: () => void;
}

export function IssueCertificateDialog({ theCase, partyId, onClose }: Props) {
  const today = useToday();
  const utils = api.useUtils();
  const issue = api.certificates.issue.useMutation();
  const reasons = allowedReasons(theCase, partyId);
  const form = useServerForm<{ reason: CertificateReason | ""; issuedOn: string }>({
    initialValues: { reason: "", issuedOn: today },
    validate: ({ reason }) => (reason ? {} : { reason: "Choose what you certify" }),
    submit: async ({ reason, issuedOn }, id) => {
      if (reason === "") return;
      const { number } = await issue.mutateAsync({ id, reason, issuedOn, caseId: theCase.id, partyId });
      await Promise.all([utils.certificates.invalidate(), utils.timeline.invalidate()]);
      notify(`Certificate ${number} issued`);
      onClose();
    },
  });
  const choose = (value: string) => {
    const reason = reasons.find((each) => each === value);
    if (reason) form.setFieldValue("reason", reason);
  };
  return (
    <Dialog isOpen onClose={onClose} title="Issue a MIAM certificate" size="form">
      <Form form={form} label="Certificate">
        <Stack gap="lg">
          <Radio.Group
            label="What you certify"
            description="Only what the case as it stands allows"
            value={form.values.reason}
            error={form.errors["reason"]}
            onChange={choose}
          >
            <Stack gap="sm" pt="xs">
              {reasons.map((reason) => (
                <Radio
                  key={reason}
                  value={reason}
                  label={CERTIFICATE_REASON_NAMES[reason]}
                  aria-invalid={form.errors["reason"] !== undefined}
                />
              ))}
            </Stack>
          </Radio.Group>
          <TextInput label="Issued on" type="date" max={today} maw={200} {...form.field("issuedOn")} />
          <FormFoot isSaving={form.isSaving}>Issue certificate</FormFoot>
        </Stack>
      </Form>
    </Dialog>
  );
}
