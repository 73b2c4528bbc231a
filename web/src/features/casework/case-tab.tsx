import { can } from "@app/shared/access";
import type { Case } from "@app/shared/cases";
import { Group } from "@mantine/core";
import { useState } from "react";
import { useCurrentUser } from "../../core/session.ts";
import { PageGrid } from "../../ui/page-grid.tsx";
import { Section } from "../../ui/section.tsx";
import { CertificateSection } from "../certificates/certificate-section.tsx";
import { ConflictSection } from "../conflicts/conflict-section.tsx";
import { CaseContacts } from "../contacts/case-contacts.tsx";
import { CourtPackDialog } from "../court-packs/court-pack-dialog.tsx";
import { CaseOwed } from "../invoices/case-owed.tsx";
import { DangerNow } from "../safeguarding/danger-now.tsx";
import { ReportSection } from "../safeguarding/report-section.tsx";
import { SafeguardingSection } from "../safeguarding/safeguarding-section.tsx";
import { ScreeningSection } from "../screenings/screening-section.tsx";
import { AddPartyDialog } from "./add-party-dialog.tsx";
import { CaseStatusMark } from "../cases/case-status.tsx";
import { CaseActions, type CaseDialogName } from "./case-actions.tsx";
import { CaseFacts } from "./case-facts.tsx";
import { CaseTracks } from "./case-tracks.tsx";
import { ConfidencesDialog } from "./confidences-dialog.tsx";
import { CorrectStepDialog } from "./correct-step-dialog.tsx";
import { DisclosureDialog } from "./disclosure-dialog.tsx";
import { EditCaseDialog } from "./edit-case-dialog.tsx";
import { FundingDialog } from "./funding-dialog.tsx";
import { MoveCaseDialog } from "./move-case-dialog.tsx";
import { PartyPreviewDialog } from "../party-view/party-preview-dialog.tsx";

interface Props {
  theCase: Case;
  clientId: string;
}

/** The case that a client is in: its state, both parties' ways, safety, conflict check and certificate. */
export function CaseTab({ theCase, clientId }: Props) {
  const user = useCurrentUser();
  const [dialog, setDialog] = useState<CaseDialogName | null>(null);
  const close = () => setDialog(null);
  const mayChange = can(user, "clients.write");
  const own = theCase.parties.find((party) => party.clientId === clientId);
  const side = (
    <>
      {own && <CertificateSection theCase={theCase} partyId={own.partyId} mayChange={mayChange} />}
      {can(user, "payments.read") && <CaseOwed theCase={theCase} />}
      <CaseFacts theCase={theCase} onEdit={mayChange ? () => setDialog("edit") : undefined} />
      <CaseContacts theCase={theCase} mayChange={mayChange} />
      <ConflictSection caseId={theCase.id} mayDecide={mayChange} />
    </>
  );
  return (
    <PageGrid side={side}>
      {can(user, "safeguarding.read") && <DangerNow caseId={theCase.id} />}
      <Section
        title={
          <Group gap="sm" component="span">
            Case {theCase.caseRef} <CaseStatusMark status={theCase.status} outcome={theCase.outcome} />
          </Group>
        }
        action={
          <CaseActions
            theCase={theCase}
            mayChange={mayChange}
            mayGive={can(user, "documents.manage")}
            onOpen={setDialog}
          />
        }
      >
        <CaseTracks theCase={theCase} mayChange={mayChange} />
      </Section>
      {can(user, "screening.read") && <ScreeningSection theCase={theCase} mayChange={mayChange} />}
      {can(user, "safeguarding.read") ? (
        <SafeguardingSection caseId={theCase.id} mayChange={mayChange} />
      ) : (
        mayChange && <ReportSection caseId={theCase.id} />
      )}
      {dialog === "move" && <MoveCaseDialog theCase={theCase} onClose={close} />}
      {dialog === "correct" && <CorrectStepDialog theCase={theCase} party={null} onClose={close} />}
      {dialog === "edit" && <EditCaseDialog theCase={theCase} onClose={close} />}
      {dialog === "funding" && <FundingDialog theCase={theCase} onClose={close} />}
      {dialog === "party" && <AddPartyDialog theCase={theCase} onClose={close} />}
      {dialog === "confidences" && <ConfidencesDialog theCase={theCase} onClose={close} />}
      {dialog === "disclosure" && <DisclosureDialog theCase={theCase} onClose={close} />}
      {dialog === "courtPack" && <CourtPackDialog theCase={theCase} onClose={close} />}
      {dialog === "preview" && <PartyPreviewDialog theCase={theCase} onClose={close} />}
    </PageGrid>
  );
}
