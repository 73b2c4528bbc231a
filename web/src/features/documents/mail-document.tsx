import type { Case, Party } from "@app/shared/cases";
import type { DocumentRow } from "@app/shared/documents";
import { Button, Menu } from "@mantine/core";
import { IconChevronDown, IconMail } from "@tabler/icons-react";
import { useState } from "react";
import { later } from "../../ui/later.tsx";

const ComposeDialog = later(async () => (await import("../compose/compose-dialog.tsx")).ComposeDialog);
const icon = { size: 16, stroke: 1.7, "aria-hidden": true } as const;

/** The parties who read a finished document: to these it can be mailed. */
export const readersAmong = ({ parties }: Case, { visibility: { scope, partyIds } }: DocumentRow): Party[] =>
  parties.filter(
    ({ partyId, leftAt }) =>
      leftAt === null && (scope === "shared" || (scope === "party" && partyIds.includes(partyId))),
  );

interface DialogProps {
  document: DocumentRow;
  party: Party;
  onClose: () => void;
}

/** A message to one party with the PDF of a finished document. */
export const MailDocumentDialog = ({ document: { caseId, name, fileId }, party, onClose }: DialogProps) => (
  <ComposeDialog
    start={{ clientId: party.clientId, caseId, subject: name, fileIds: fileId === null ? [] : [fileId] }}
    onClose={onClose}
  />
);

interface Props {
  document: DocumentRow;
  theCase: Case;
}

export function MailDocumentButton({ document, theCase }: Props) {
  const [party, setParty] = useState<Party | null>(null);
  const readers = readersAmong(theCase, document);
  if (document.fileId === null || readers.length === 0) return null;
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconMail {...icon} />}
            rightSection={<IconChevronDown {...icon} />}
          >
            Mail it
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {readers.map((reader) => (
            <Menu.Item key={reader.partyId} onClick={() => setParty(reader)}>
              To {reader.name} ({reader.label})
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {party && <MailDocumentDialog document={document} party={party} onClose={() => setParty(null)} />}
    </>
  );
}
