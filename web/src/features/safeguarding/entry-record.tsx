import {
  CLIENT_TOLD_NAMES,
  type EntryVersion,
  IMMEDIACY_NAMES,
  type RemovedCase,
  SAFEGUARDING_KIND_NAMES,
  type SafeguardingEntry,
} from "@app/shared/safeguarding";
import { Button } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { type Formats, useFormats } from "../../core/format.ts";
import { LoadedPage } from "../../core/loaded-page.tsx";
import { Chip } from "../../ui/chip.tsx";
import { Facts } from "../../ui/facts.tsx";
import "./safeguarding.css";

const STATE_NAMES = { to_complete: "To be completed", not_needed: "No entry needed" } as const;
const NOT_YET = "Not yet judged";

interface Props {
  entry: SafeguardingEntry;
  onAmend: (() => void) | undefined;
}

/** An entry as it reads now; its earlier wordings are read when somebody opens them. */
export function EntryRecord({ entry, onAmend }: Props) {
  const formats = useFormats();
  const [isOpen, setIsOpen] = useState(false);
  const { latest, earlierCount, removedCase } = entry;
  const verb = entry.state === "kept" ? "Amend" : "Complete";
  return (
    <article className="safeguarding-entry">
      <div className="safeguarding-entry-head">
        <strong>{latest.personAtRisk}</strong>
        {entry.kind === "suspicious_activity" && (
          <Chip tone="late" icon={<IconLock size={14} stroke={1.7} aria-hidden />}>
            {SAFEGUARDING_KIND_NAMES[entry.kind]}
          </Chip>
        )}
        {entry.state !== "kept" && (
          <Chip tone={entry.state === "to_complete" ? "safety" : "outline"}>{STATE_NAMES[entry.state]}</Chip>
        )}
        <span className="quiet-text">
          {formats.dateTime(latest.at)}, {latest.byName}
        </span>
        {onAmend && (
          <Button
            size="xs"
            variant="default"
            onClick={onAmend}
            aria-label={`${verb} the entry: ${latest.personAtRisk}`}
          >
            {verb}
          </Button>
        )}
      </div>
      {removedCase && <RemovedFrom {...removedCase} />}
      <Wording version={latest} />
      {earlierCount > 0 && (
        <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
          <summary>Earlier wordings ({earlierCount})</summary>
          {isOpen && <EarlierWordings id={entry.id} />}
        </details>
      )}
    </article>
  );
}

const RemovedFrom = ({ caseRef, parties }: RemovedCase) => (
  <div className="quiet-text">
    Case {caseRef}: {parties.map(({ name, label }) => `${name} (${label})`).join(", ")}. The case was removed when an
    import was undone.
  </div>
);

function EarlierWordings({ id }: { id: string }) {
  const formats = useFormats();
  const [page, setPage] = useState(1);
  const query = api.safeguarding.listWordings.useQuery({ id, page });
  return (
    <LoadedPage
      query={query}
      failureTitle="The earlier wordings could not be read"
      empty={null}
      page={page}
      words={["earlier wording", "earlier wordings"]}
      onPage={setPage}
    >
      {(items) =>
        items.map((version) => (
          <div key={version.at} className="safeguarding-earlier">
            <div className="quiet-text">
              {formats.dateTime(version.at)}, {version.byName}
            </div>
            <Wording version={version} />
          </div>
        ))
      }
    </LoadedPage>
  );
}

function Wording({ version }: { version: EntryVersion }) {
  const formats = useFormats();
  const { concern, immediacy, consulted, clientTold, clientWords, why } = version;
  return (
    <Facts
      labelWidth={100}
      facts={[
        { label: "Concern", value: concern },
        { label: "How soon", value: immediacy ? IMMEDIACY_NAMES[immediacy] : NOT_YET },
        { label: "Consulted", value: consulted ? consultedWords(consulted, formats) : NOT_YET },
        { label: "Told", value: toldWords(version, formats) },
        { label: "The client", value: clientTold ? `${CLIENT_TOLD_NAMES[clientTold]}: ${clientWords}` : NOT_YET },
        ...(why ? [{ label: clientTold ? "Amended" : "No entry", value: why }] : []),
      ]}
    />
  );
}

const consultedWords = (
  { isConsulted, who, on, whyNot }: NonNullable<EntryVersion["consulted"]>,
  formats: Formats,
): string => (isConsulted ? `${who}, ${formats.day(on)}` : `Nobody: ${whyNot}`);

function toldWords({ told, whyNobodyTold }: EntryVersion, formats: Formats): string {
  if (told.length === 0) return whyNobodyTold ? `No agency: ${whyNobodyTold}` : NOT_YET;
  return told
    .map(({ agency, on, reference }) => [agency, formats.day(on), reference].filter(Boolean).join(", "))
    .join("; ");
}
