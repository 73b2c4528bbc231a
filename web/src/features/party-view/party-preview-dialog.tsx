import type { Case } from "@app/shared/cases";
import { PREVIEW_KIND_NAMES, type PreviewItem } from "@app/shared/party-preview";
import { Button, SegmentedControl } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { downloadOf } from "../../core/download.ts";
import { useFormats } from "../../core/format.ts";
import { Loaded } from "../../core/loaded.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Section } from "../../ui/section.tsx";
import "./party-view.css";

/** What one party may see of the case: everything that may ever leave for them, and nothing else. */
export function PartyPreviewDialog({ theCase, onClose }: { theCase: Case; onClose: () => void }) {
  const [partyId, setPartyId] = useState(theCase.parties[0]?.partyId ?? "");
  const { clientId = "" } = theCase.parties.find((party) => party.partyId === partyId) ?? {};
  const preview = api.partyView.preview.useQuery({ caseId: theCase.id, partyId }, { staleTime: 0 });
  return (
    <Dialog isOpen onClose={onClose} title="What each party sees" size="form">
      <SegmentedControl
        fullWidth
        aria-label="Party"
        value={partyId}
        onChange={setPartyId}
        data={theCase.parties.map(({ partyId: value, label, name }) => ({ value, label: `${name} (${label})` }))}
      />
      <Loaded query={preview} failureTitle="The preview could not be made">
        {({ name, items, leftOut, cut }) =>
          items.length === 0 && leftOut.length === 0 ? (
            <p>{name} sees nothing of this case yet.</p>
          ) : (
            <>
              {leftOut.includes("message") && <p>Messages are left out: you may not read mail.</p>}
              {leftOut.includes("invoice") && <p>Invoices are left out: you may not see payments.</p>}
              {cut.map((words) => (
                <p key={words}>{words}</p>
              ))}
              {(["meeting", "assessment", "note", "file", "message", "certificate", "invoice", "history"] as const).map(
                (kind) => (
                  <Kind key={kind} kind={kind} items={items.filter((item) => item.kind === kind)} />
                ),
              )}
              <Button
                {...downloadOf(`/export/clients/${clientId}.pdf?case=${theCase.id}`)}
                variant="default"
                leftSection={<IconDownload size={16} stroke={1.7} />}
              >
                Record of this case for {name}, PDF
              </Button>
            </>
          )
        }
      </Loaded>
    </Dialog>
  );
}

function Kind({ kind, items }: { kind: PreviewItem["kind"]; items: readonly PreviewItem[] }) {
  const formats = useFormats();
  if (items.length === 0) return null;
  return (
    <Section title={PREVIEW_KIND_NAMES[kind]} count={items.length} order={3}>
      <ul className="preview-items">
        {items.map((item) => (
          <li key={item.id}>
            <div>
              <strong>{item.title}</strong>
              {item.detail && <div className="preview-detail">{item.detail}</div>}
            </div>
            {item.at && <time dateTime={item.at}>{formats.dateTime(item.at)}</time>}
          </li>
        ))}
      </ul>
    </Section>
  );
}
