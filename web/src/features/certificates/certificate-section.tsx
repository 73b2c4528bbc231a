import type { Case } from "@app/shared/cases";
import {
  allowedReasons,
  type Certificate,
  CERTIFICATE_MONTHS,
  CERTIFICATE_REASON_NAMES,
} from "@app/shared/certificates";
import { daysBetween } from "@app/shared/days";
import { Button, Group, Stack } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { useFormats } from "../../core/format.ts";
import { Loaded } from "../../core/loaded.tsx";
import { notify, notifyError } from "../../core/notify.ts";
import { useToday } from "../../core/today.ts";
import { Chip } from "../../ui/chip.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Section } from "../../ui/section.tsx";
import { IssueCertificateDialog } from "./issue-certificate-dialog.tsx";
import "../../ui/clock-bar.css";

const STATUS_NAMES = { issued: "Valid", used: "Used", expired: "Expired", void: "Void" } as const;

interface Props {
  theCase: Case;
  partyId: string;
  mayChange: boolean;
}

/** The certificates of one party with their four-month clock. */
export function CertificateSection({ theCase, partyId, mayChange }: Props) {
  const certificates = api.certificates.list.useQuery({ caseId: theCase.id });
  const [isIssuing, setIsIssuing] = useState(false);
  const mayIssue = mayChange && allowedReasons(theCase, partyId).length > 0;
  return (
    <Section
      title="MIAM certificate"
      action={
        mayIssue && (
          <Button variant="default" size="xs" onClick={() => setIsIssuing(true)}>
            Issue
          </Button>
        )
      }
    >
      <Loaded query={certificates} failureTitle="The certificates could not be read">
        {({ items }) => {
          const own = items.filter((certificate) => certificate.partyId === partyId);
          return own.length === 0 ? (
            <p className="quiet-text">None issued. It is good for {CERTIFICATE_MONTHS} months from its day.</p>
          ) : (
            <Stack gap="md" pt="sm">
              {own.map((certificate) => (
                <OneCertificate key={certificate.id} certificate={certificate} mayChange={mayChange} />
              ))}
            </Stack>
          );
        }}
      </Loaded>
      {isIssuing && <IssueCertificateDialog theCase={theCase} partyId={partyId} onClose={() => setIsIssuing(false)} />}
    </Section>
  );
}

function OneCertificate({ certificate, mayChange }: { certificate: Certificate; mayChange: boolean }) {
  const formats = useFormats();
  const today = useToday();
  const utils = api.useUtils();
  const [isVoiding, setIsVoiding] = useState(false);
  const use = api.certificates.use.useMutation();
  const void_ = api.certificates.void.useMutation();
  const { number, status, issuedOn, expiresOn, daysLeft } = certificate;
  const whole = daysBetween(issuedOn, expiresOn);
  const act = async (work: Promise<unknown>, done: string) => {
    try {
      await work;
      await Promise.all([utils.certificates.invalidate(), utils.timeline.invalidate()]);
      notify(done);
    } catch (error) {
      notifyError(messageOf(error));
    }
  };
  return (
    <div>
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
        <span>Issued {formats.calendarDay(issuedOn)}</span>
        <span>Expires {formats.calendarDay(expiresOn)}</span>
      </div>
      <p className="quiet-text">{CERTIFICATE_REASON_NAMES[certificate.reason]}.</p>
      {status !== "void" && (
        <Group gap="xs">
          <Button
            component="a"
            size="xs"
            variant="default"
            href={`/export/certificates/${certificate.id}.pdf`}
            download
            leftSection={<IconDownload size={14} stroke={1.7} aria-hidden />}
          >
            PDF
          </Button>
          {mayChange && certificate.mayVoid && status === "issued" && (
            <>
              <Button
                size="xs"
                variant="default"
                loading={use.isPending}
                onClick={() =>
                  void act(
                    use.mutateAsync({ id: certificate.id, usedOn: today }),
                    `Certificate ${number} marked as used`,
                  )
                }
              >
                Mark as used
              </Button>
              <Button size="xs" variant="subtle" color="red" onClick={() => setIsVoiding(true)}>
                Declare void
              </Button>
            </>
          )}
        </Group>
      )}
      <ConfirmDialog
        isOpen={isVoiding}
        onClose={() => setIsVoiding(false)}
        title={`Declare ${number} void?`}
        confirmLabel="Declare void"
        isBusy={void_.isPending}
        onConfirm={() =>
          void act(
            void_.mutateAsync({ id: certificate.id, reason: "Declared void by the mediator" }),
            `Certificate ${number} is void`,
          ).then(() => setIsVoiding(false))
        }
      >
        A void certificate cannot be used or printed, and cannot be brought back. Issue a new one where it was wrong.
      </ConfirmDialog>
    </div>
  );
}
