import { can } from "@app/shared/access";
import { ENDED_STATUSES } from "@app/shared/case-states";
import type { Case } from "@app/shared/cases";
import { Button, Group, Menu } from "@mantine/core";
import { IconArrowRight, IconCash, IconDots, IconEye, IconPencil, IconUserPlus } from "@tabler/icons-react";
import { useState } from "react";
import { useFormats } from "../../core/format.ts";
import { useCurrentUser } from "../../core/session.ts";
import { Facts } from "../../ui/facts.tsx";
import { PageGrid } from "../../ui/page-grid.tsx";
import { Section } from "../../ui/section.tsx";
import { CertificateSection } from "../certificates/certificate-section.tsx";
import { ConflictSection } from "../conflicts/conflict-section.tsx";
import { CaseContacts } from "../contacts/case-contacts.tsx";
import { ScreeningSection } from "../screenings/screening-section.tsx";
import { AddPartyDialog } from "./add-party-dialog.tsx";
import { CaseStatusMark } from "../cases/case-status.tsx";
import { CaseTracks } from "./case-tracks.tsx";
import { DOMAIN_NAMES, FORMAT_NAMES, ISSUE_NAMES, SOURCE_NAMES } from "../cases/case-words.ts";
import { EditCaseDialog } from "./edit-case-dialog.tsx";
import { FundingDialog } from "./funding-dialog.tsx";
import { MoveCaseDialog } from "./move-case-dialog.tsx";
import { PartyPreviewDialog } from "../party-view/party-preview-dialog.tsx";

type DialogName = "move" | "edit" | "funding" | "party" | "preview";

interface Props {
  theCase: Case;
  clientId: string;
}

const icon = { size: 16, stroke: 1.7, "aria-hidden": true } as const;

/** The case that a client is in: its state, both parties' ways, safety, conflict check and certificate. */
export function CaseTab({ theCase, clientId }: Props) {
  const user = useCurrentUser();
  const [dialog, setDialog] = useState<DialogName | null>(null);
  const close = () => setDialog(null);
  const mayChange = can(user, "clients.write");
  const own = theCase.parties.find((party) => party.clientId === clientId);
  const side = (
    <>
      {own && <CertificateSection theCase={theCase} partyId={own.partyId} mayChange={mayChange} />}
      <CaseFacts theCase={theCase} onEdit={mayChange ? () => setDialog("edit") : undefined} />
      <CaseContacts theCase={theCase} mayChange={mayChange} />
      <ConflictSection caseId={theCase.id} mayDecide={mayChange} />
    </>
  );
  return (
    <PageGrid side={side}>
      <Section
        title={
          <Group gap="sm" component="span">
            Case {theCase.caseRef} <CaseStatusMark status={theCase.status} />
          </Group>
        }
        action={
          <Group gap="xs">
            <Button
              size="xs"
              variant="default"
              leftSection={<IconEye size={14} stroke={1.7} aria-hidden />}
              onClick={() => setDialog("preview")}
            >
              What each party sees
            </Button>
            {mayChange && (
              <>
                {!ENDED_STATUSES.includes(theCase.status) || theCase.status === "closed" ? (
                  <Button
                    size="xs"
                    leftSection={<IconArrowRight size={14} stroke={1.7} aria-hidden />}
                    onClick={() => setDialog("move")}
                  >
                    Move on
                  </Button>
                ) : null}
                <Menu>
                  <Menu.Target>
                    <Button size="xs" variant="default" aria-label="More about this case">
                      <IconDots {...icon} />
                    </Button>
                  </Menu.Target>
                  <Menu.Dropdown>
                    <Menu.Item leftSection={<IconPencil {...icon} />} onClick={() => setDialog("edit")}>
                      Edit case
                    </Menu.Item>
                    <Menu.Item leftSection={<IconCash {...icon} />} onClick={() => setDialog("funding")}>
                      Funding
                    </Menu.Item>
                    <Menu.Item leftSection={<IconUserPlus {...icon} />} onClick={() => setDialog("party")}>
                      Add a party
                    </Menu.Item>
                  </Menu.Dropdown>
                </Menu>
              </>
            )}
          </Group>
        }
      >
        <CaseTracks theCase={theCase} mayChange={mayChange} />
      </Section>
      {can(user, "screening.read") && <ScreeningSection theCase={theCase} mayChange={mayChange} />}
      {dialog === "move" && <MoveCaseDialog theCase={theCase} onClose={close} />}
      {dialog === "edit" && <EditCaseDialog theCase={theCase} onClose={close} />}
      {dialog === "funding" && <FundingDialog theCase={theCase} onClose={close} />}
      {dialog === "party" && <AddPartyDialog theCase={theCase} onClose={close} />}
      {dialog === "preview" && <PartyPreviewDialog theCase={theCase} onClose={close} />}
    </PageGrid>
  );
}

const OUTCOMES = {
  agreed_all: "Agreed on all issues",
  agreed_some: "Agreed on some issues",
  agreed_not_written: "Agreed, not written up",
  not_agreed: "Not agreed",
} as const;

function CaseFacts({ theCase, onEdit }: { theCase: Case; onEdit: (() => void) | undefined }) {
  const formats = useFormats();
  const { children, flags, outcome, referral, nextReviewOn } = theCase;
  const edit = onEdit && (
    <Button size="xs" variant="subtle" onClick={onEdit}>
      Edit
    </Button>
  );
  return (
    <Section title="Case" action={edit}>
      <Facts
        labelWidth={92}
        facts={[
          { label: "Matter", value: theCase.matter || "Not recorded" },
          { label: "Kind", value: DOMAIN_NAMES[theCase.domain] },
          { label: "Issues", value: ISSUE_NAMES[theCase.issueScope] },
          { label: "Children", value: children.map(({ firstName }) => firstName).join(", ") || "None" },
          { label: "Mediator", value: theCase.mediatorNames.join(", ") || "Nobody yet" },
          { label: "Format", value: FORMAT_NAMES[theCase.format] },
          { label: "Came by", value: SOURCE_NAMES[referral.source] },
          ...(flags.isUrgent ? [{ label: "Urgent", value: "Yes" }] : []),
          ...(flags.mustNotMeet ? [{ label: "Contact", value: "The parties must not meet" }] : []),
          ...(nextReviewOn ? [{ label: "Review", value: formats.calendarDay(nextReviewOn) }] : []),
          ...(outcome ? [{ label: "Outcome", value: OUTCOMES[outcome.code] }] : []),
          ...(theCase.reason ? [{ label: "Reason", value: theCase.reason }] : []),
        ]}
      />
    </Section>
  );
}
