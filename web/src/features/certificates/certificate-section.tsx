import { can } from "@app/shared/access";
import type { Case } from "@app/shared/cases";
import type { Assessment } from "@app/shared/assessments";
import { Button, Group, Stack } from "@mantine/core";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { Loaded } from "../../core/loaded.tsx";
import { useCurrentUser } from "../../core/session.ts";
import { Section } from "../../ui/section.tsx";
import { AssessmentDialog } from "../assessments/assessment-dialog.tsx";
import { ElsewhereDialog } from "../assessments/elsewhere-dialog.tsx";
import { useFirstMeeting } from "../assessments/use-first-meeting.ts";
import { AssessmentRow } from "../assessments/assessment-row.tsx";
import { CertificateRow } from "./certificate-row.tsx";
import { IssueCertificateDialog } from "./issue-certificate-dialog.tsx";
import { IssueMediationDialog } from "./issue-mediation-dialog.tsx";

interface Props {
  theCase: Case;
  partyId: string;
  mayChange: boolean;
}

/** The MIAMs that one party attended, and the certificates that stand on them; family cases only have them. */
export function CertificateSection({ theCase, partyId, mayChange }: Props) {
  const user = useCurrentUser();
  const { isMiam, name } = useFirstMeeting();
  const [recording, setRecording] = useState<"here" | "elsewhere" | null>(null);
  const [isCertifying, setIsCertifying] = useState(false);
  const party = theCase.parties.find((each) => each.partyId === partyId);
  if (theCase.domain !== "family" || !party) return null;
  return (
    <Section
      title={isMiam ? "MIAM and certificate" : name}
      action={
        mayChange &&
        can(user, "screening.read") && (
          <Button variant="default" size="xs" onClick={() => setRecording("here")}>
            {isMiam ? "Record MIAM" : "Record meeting"}
          </Button>
        )
      }
    >
      <Attended theCase={theCase} party={party} mayChange={mayChange} />
      {mayChange && isMiam && (
        <Group gap="xs" mt="xs">
          <Button variant="subtle" size="xs" onClick={() => setRecording("elsewhere")}>
            Record one held elsewhere
          </Button>
          <Button variant="subtle" size="xs" onClick={() => setIsCertifying(true)}>
            Certify mediation
          </Button>
        </Group>
      )}
      {isCertifying && <IssueMediationDialog theCase={theCase} party={party} onClose={() => setIsCertifying(false)} />}
      <Issued caseId={theCase.id} partyId={partyId} mayChange={mayChange} />
      {recording === "elsewhere" && (
        <ElsewhereDialog caseId={theCase.id} party={party} onClose={() => setRecording(null)} />
      )}
      {recording === "here" && (
        <AssessmentDialog
          caseId={theCase.id}
          party={party}
          others={theCase.parties.filter((each) => each.partyId !== partyId)}
          onClose={() => setRecording(null)}
        />
      )}
    </Section>
  );
}

interface AttendedProps {
  theCase: Case;
  party: Case["parties"][number];
  mayChange: boolean;
}

function Attended({ theCase, party, mayChange }: AttendedProps) {
  const { isMiam, word } = useFirstMeeting();
  const assessments = api.assessments.list.useQuery({ caseId: theCase.id });
  const [issuing, setIssuing] = useState<Assessment | null>(null);
  return (
    <Loaded query={assessments} failureTitle="The records of these meetings could not be read">
      {({ items }) => {
        const own = items.filter(({ partyId }) => partyId === party.partyId);
        return (
          <>
            {own.length === 0 && <p className="quiet-text">{`No ${word} is recorded.`}</p>}
            <Stack gap="md" pt={own.length === 0 ? 0 : "sm"}>
              {own.map((assessment) => (
                <AssessmentRow
                  key={assessment.id}
                  assessment={assessment}
                  parties={theCase.parties}
                  mayChange={mayChange}
                >
                  {isMiam && assessment.isComplete && assessment.origin !== "elsewhere" && (
                    <Button size="xs" variant="default" onClick={() => setIssuing(assessment)}>
                      Issue certificate
                    </Button>
                  )}
                </AssessmentRow>
              ))}
            </Stack>
            {issuing && (
              <IssueCertificateDialog assessmentId={issuing.id} name={party.name} onClose={() => setIssuing(null)} />
            )}
          </>
        );
      }}
    </Loaded>
  );
}

function Issued({ caseId, partyId, mayChange }: { caseId: string; partyId: string; mayChange: boolean }) {
  const certificates = api.certificates.list.useQuery({ caseId });
  return (
    <Loaded query={certificates} failureTitle="The certificates could not be read">
      {({ items }) => {
        const own = items.filter((certificate) => certificate.partyId === partyId);
        if (own.length === 0) return null;
        return (
          <Stack gap="md" pt="md">
            {own.map((certificate) => (
              <CertificateRow key={certificate.id} certificate={certificate} mayChange={mayChange} />
            ))}
          </Stack>
        );
      }}
    </Loaded>
  );
}
