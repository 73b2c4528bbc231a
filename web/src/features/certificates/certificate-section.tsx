import type { Case } from "@app/shared/cases";
import { allowedReasons, CERTIFICATE_MONTHS } from "@app/shared/certificates";
import { Button, Stack } from "@mantine/core";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { Loaded } from "../../core/loaded.tsx";
import { Section } from "../../ui/section.tsx";
import { CertificateRow } from "./certificate-row.tsx";
import { IssueCertificateDialog } from "./issue-certificate-dialog.tsx";

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
                <CertificateRow key={certificate.id} certificate={certificate} mayChange={mayChange} />
              ))}
            </Stack>
          );
        }}
      </Loaded>
      {isIssuing && <IssueCertificateDialog theCase={theCase} partyId={partyId} onClose={() => setIsIssuing(false)} />}
    </Section>
  );
}
