import type { Case } from "@app/shared/cases";
import { Button, NativeSelect, Stack } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { downloadOf } from "../../core/download.ts";
import { Loaded } from "../../core/loaded.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { BackButton } from "../../ui/form-foot.tsx";
import { Section } from "../../ui/section.tsx";

/** What of this case a court may be given, and what stays and why, before it is downloaded as one PDF. */
export function CourtPackDialog({ theCase, onClose }: { theCase: Case; onClose: () => void }) {
  const [partyId, setPartyId] = useState("");
  const query = api.courtPacks.preview.useQuery({ caseId: theCase.id, partyId: partyId || null });
  const address = `/export/court-packs/${theCase.id}.pdf${partyId ? `?party=${partyId}` : ""}`;
  const isEmpty = query.data?.included.length === 0;
  const footer = (
    <>
      <BackButton />
      {isEmpty ? (
        <Button disabled>Nothing to download</Button>
      ) : (
        <Button leftSection={<IconDownload size={16} stroke={1.7} aria-hidden />} {...downloadOf(address)}>
          Download the court pack
        </Button>
      )}
    </>
  );
  return (
    <Dialog isOpen onClose={onClose} title="Court pack" size="form" footer={footer}>
      <Stack gap="lg">
        <p>
          One PDF of what may be shown to a court: open papers that everybody who takes part may read. Proposals and
          confidential papers never go. What is no financial disclosure goes only once everybody’s consent, or an order
          of a court, is recorded for it under “What may be told outside”, and names the court.
        </p>
        <NativeSelect
          label="Who asked for it"
          description="Their certificates that are not void go with it"
          data={[
            { value: "", label: "Nobody in particular" },
            ...theCase.parties
              .filter(({ leftAt }) => leftAt === null)
              .map(({ partyId: id, name, label }) => ({ value: id, label: `${name} (${label})` })),
          ]}
          value={partyId}
          onChange={(event) => setPartyId(event.currentTarget.value)}
        />
        <Loaded query={query} failureTitle="The files of this case could not be read">
          {({ included, leftOut }) => (
            <>
              <Section title="In the pack" count={included.length} order={3}>
                {included.length === 0 ? (
                  <p className="quiet-text">Nothing in this case may be given to a court yet.</p>
                ) : (
                  <PackRows items={included.map(({ note, ...item }) => ({ ...item, words: note }))} />
                )}
              </Section>
              {leftOut.length > 0 && (
                <Section title="Not in it" count={leftOut.length} order={3}>
                  <PackRows items={leftOut.map(({ why, ...item }) => ({ ...item, words: why }))} />
                </Section>
              )}
            </>
          )}
        </Loaded>
      </Stack>
    </Dialog>
  );
}

const PackRows = ({ items }: { items: readonly { id: string; name: string; words: string }[] }) => (
  <ul className="rows">
    {items.map(({ id, name, words }) => (
      <li key={id}>
        <span>
          {name}
          {words && (
            <>
              <br />
              <span className="quiet-text">{words}</span>
            </>
          )}
        </span>
      </li>
    ))}
  </ul>
);
