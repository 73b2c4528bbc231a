import { addDays } from "@app/shared/days";
import { LOST_REASON_NAMES } from "@app/shared/lead-states";
import type { Funnel } from "@app/shared/lead-report";
import { SimpleGrid, TextInput } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { useFormats } from "../../core/format.ts";
import { Loaded } from "../../core/loaded.tsx";
import { useToday } from "../../core/today.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Facts } from "../../ui/facts.tsx";
import { Section } from "../../ui/section.tsx";
import { SOURCE_NAMES } from "../cases/case-words.ts";

const PERIOD_DAYS = 91;

const COLUMNS: { key: keyof Funnel; label: string }[] = [
  { key: "enquiries", label: "Enquiries" },
  { key: "contacted", label: "Answered" },
  { key: "converted", label: "Cases" },
  { key: "firstParty", label: "P1 seen" },
  { key: "secondParty", label: "P2 seen" },
  { key: "mediating", label: "Mediation" },
  { key: "agreed", label: "Agreed" },
  { key: "lost", label: "Lost" },
];

/** How many of those who asked in a time came how far, by how they came. */
export function LeadReportDialog({ onClose }: { onClose: () => void }) {
  const today = useToday();
  const { number } = useFormats();
  const [from, setFrom] = useState(() => addDays(today, 1 - PERIOD_DAYS));
  const [until, setUntil] = useState(today);
  const isPeriod = from !== "" && until !== "" && from <= until;
  const report = api.leads.report.useQuery({ from, until }, { enabled: isPeriod, placeholderData: keepPreviousData });
  return (
    <Dialog isOpen onClose={onClose} title="What became of enquiries" size="wide">
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        <TextInput
          label="Came in from"
          type="date"
          value={from}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
        <TextInput
          label="Until"
          type="date"
          value={until}
          error={isPeriod ? undefined : "Choose two days, the earlier one first"}
          onChange={(event) => setUntil(event.currentTarget.value)}
        />
      </SimpleGrid>
      <Loaded query={report} failureTitle="The report could not be made">
        {({ rows, total, lostReasons, isCut }) =>
          rows.length === 0 ? (
            <p className="quiet-text">Nobody asked in this time.</p>
          ) : (
            <>
              <Table rows={rows} total={total} />
              {lostReasons.length > 0 && (
                <Section title="Why they were lost" order={3}>
                  <Facts
                    facts={lostReasons.map(({ reason, count }) => ({
                      label: LOST_REASON_NAMES[reason],
                      value: number(count),
                    }))}
                    labelWidth={180}
                  />
                </Section>
              )}
              <p className="quiet-text">
                A case counts under P1 and P2 once each of them came to a first meeting, and under Mediation once a
                session was held. Deleted leads and spam are not counted.
                {isCut && " More came in than can be counted at once: choose a shorter time."}
              </p>
            </>
          )
        }
      </Loaded>
    </Dialog>
  );
}

interface TableProps {
  rows: readonly (Funnel & { source: keyof typeof SOURCE_NAMES })[];
  total: Funnel;
}

function Table({ rows, total }: TableProps) {
  const { number } = useFormats();
  const cells = (funnel: Funnel) => COLUMNS.map(({ key }) => <td key={key}>{number(funnel[key])}</td>);
  return (
    <div className="lead-report-frame" tabIndex={0} role="group" aria-label="Enquiries by how they came">
      <table className="lead-report">
        <thead>
          <tr>
            <th scope="col">How they came</th>
            {COLUMNS.map(({ key, label }) => (
              <th key={key} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.source}>
              <th scope="row">{SOURCE_NAMES[row.source]}</th>
              {cells(row)}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">All</th>
            {cells(total)}
          </tr>
        </tfoot>
      </table>
    </div>
  );
}
