import { type Certificate, VOID_REASON_MAX_LENGTH } from "@app/shared/certificates";
import { daysBetween } from "@app/shared/days";
import { Button, Group, Stack, TextInput } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { useFormats } from "../../core/format.ts";
import { notify, notifyError } from "../../core/notify.ts";
import { useToday } from "../../core/today.ts";
import { Chip } from "../../ui/chip.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import "../../ui/clock-bar.css";

const STATUS_NAMES = { issued: "Valid", used: "Used", expired: "Expired", void: "Void" } as const;

interface Props {
  certificate: Certificate;
  mayChange: boolean;
}

/** One certificate: how long it still runs, what it says, and what can be done with it. */
export function CertificateRow({ certificate, mayChange }: Props) {
  const { id, status, mayVoid } = certificate;
  const formats = useFormats();
  const [isVoiding, setIsVoiding] = useState(false);
  return (
    <div>
      <CertificateClock certificate={certificate} />
      <p className="quiet-text">{certificate.sentences.join(" ")}</p>
      {certificate.fewerReason && (
        <p className="quiet-text">Why fewer attempts were enough: {certificate.fewerReason}</p>
      )}
      {certificate.usedOn && <p className="quiet-text">Used {formats.calendarDay(certificate.usedOn)}</p>}
      {certificate.voidReason && <p className="quiet-text">Void: {certificate.voidReason}</p>}
      {status !== "void" && (
        <Group gap="xs">
          <Button
            component="a"
            size="xs"
            variant="default"
            href={`/export/certificates/${id}.pdf`}
            download
            leftSection={<IconDownload size={14} stroke={1.7} aria-hidden />}
          >
            PDF
          </Button>
          {mayChange && mayVoid && (
            <>
              {status === "issued" && <MarkUsedButton certificate={certificate} />}
              <Button size="xs" variant="subtle" color="red" onClick={() => setIsVoiding(true)}>
                Declare void
              </Button>
            </>
          )}
        </Group>
      )}
      {isVoiding && <VoidDialog certificate={certificate} onClose={() => setIsVoiding(false)} />}
    </div>
  );
}

function CertificateClock({ certificate }: { certificate: Certificate }) {
  const formats = useFormats();
  const { number, status, attendedOn, mediatedUntil, issuedOn, countedFrom, expiresOn, daysLeft } = certificate;
  const whole = daysBetween(countedFrom, expiresOn);
  return (
    <>
      <div className="clock-days">
        {status === "issued" ? (daysLeft === 1 ? "1 day left" : `${daysLeft} days left`) : STATUS_NAMES[status]}
        <small>
          {number} {status === "expired" && <Chip tone="late">Expired</Chip>}
        </small>
      </div>
      {status === "issued" && (
        <div className="clock-bar" role="img" aria-label={`${whole - daysLeft} of ${whole} days have passed`}>
          <div style={{ width: `${Math.min(100, ((whole - daysLeft) / whole) * 100)}%` }} />
        </div>
      )}
      <div className="clock-ends">
        {attendedOn && <span>Attended {formats.calendarDay(attendedOn)}</span>}
        {mediatedUntil && <span>Last session {formats.calendarDay(mediatedUntil)}</span>}
        <span>Issued {formats.calendarDay(issuedOn)}</span>
        <span>Last day {formats.calendarDay(expiresOn)}</span>
      </div>
    </>
  );
}

function MarkUsedButton({ certificate: { id, number } }: { certificate: Certificate }) {
  const today = useToday();
  const utils = api.useUtils();
  const use = api.certificates.use.useMutation();
  const markUsed = async () => {
    try {
      await use.mutateAsync({ id, usedOn: today });
      await Promise.all([utils.certificates.invalidate(), utils.timeline.invalidate()]);
      notify(`Certificate ${number} marked as used`);
    } catch (error) {
      notifyError(messageOf(error));
    }
  };
  return (
    <Button size="xs" variant="default" loading={use.isPending} onClick={() => void markUsed()}>
      Mark as used
    </Button>
  );
}

interface VoidProps {
  certificate: Certificate;
  onClose: () => void;
}

function VoidDialog({ certificate: { id, number, usedOn }, onClose }: VoidProps) {
  const formats = useFormats();
  const utils = api.useUtils();
  const declare = api.certificates.void.useMutation();
  const form = useServerForm({
    initialValues: { reason: "" },
    submit: async ({ reason }) => {
      await declare.mutateAsync({ id, reason });
      await Promise.all([
        utils.certificates.invalidate(),
        utils.assessments.invalidate(),
        utils.timeline.invalidate(),
        utils.tasks.invalidate(),
      ]);
      notify(`Certificate ${number} is void`);
      onClose();
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title={`Declare ${number} void?`}>
      <Form form={form} label="Declare void">
        <Stack gap="lg">
          <span>
            A void certificate cannot be used or printed, and cannot be brought back. Issue a new one where it was
            wrong.
          </span>
          {usedOn && (
            <span>
              It was used on {formats.calendarDay(usedOn)}, which stays recorded. A task asks you to tell the court or
              the solicitor that it is void.
            </span>
          )}
          <TextInput label="Why is it void?" maxLength={VOID_REASON_MAX_LENGTH} {...form.field("reason")} />
          <FormFoot isSaving={form.isSaving} isDestructive>
            Declare void
          </FormFoot>
        </Stack>
      </Form>
    </Dialog>
  );
}
