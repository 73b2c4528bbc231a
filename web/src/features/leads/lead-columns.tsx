import { LEAD_STATUS_NAMES } from "@app/shared/lead-states";
import type { LEAD_SORTS, LeadRow } from "@app/shared/leads";
import { useFormats } from "../../core/format.ts";
import { useCurrentUser } from "../../core/session.ts";
import type { Column } from "../../ui/data-table.tsx";
import { TextLink } from "../../ui/links.tsx";
import { DOMAIN_NAMES } from "../cases/case-words.ts";
import { LeadMarks } from "./lead-marks.tsx";
import { cameBy, durationOf, minutesSince, nextLine } from "./lead-words.ts";
import type { LeadsSearch } from "./leads-search.ts";
import { useNow } from "./use-now.ts";

export type LeadSort = (typeof LEAD_SORTS)[number];

interface RowProps {
  lead: LeadRow;
  /** What stays behind the open lead. */
  place: LeadsSearch;
}

export const LeadLink = ({ lead, place }: RowProps) => (
  <TextLink to="/leads" search={{ ...place, lead: lead.id }} c="inherit" fw={500} fz="inherit" underline="hover">
    {lead.displayName}
  </TextLink>
);

interface NextProps {
  lead: LeadRow;
  /** Something beside it says already that there is a conflict to look at. */
  isConflictShown?: boolean;
}

/** What comes next, with the possible conflict before all else. */
export function NextLine({ lead, isConflictShown = false }: NextProps) {
  const now = useNow();
  const formats = useFormats();
  const { timeZone } = useCurrentUser();
  const { text, isLate } = nextLine(lead, { now, timeZone, formats });
  return (
    <>
      {lead.conflictState === "to_look_at" && !isConflictShown && (
        <span className="lead-next" data-late>
          Conflict to look at
        </span>
      )}
      <span className="lead-next" data-late={isLate || undefined}>
        {text}
      </span>
    </>
  );
}

function Age({ lead }: { lead: LeadRow }) {
  const now = useNow();
  const { dateTime } = useFormats();
  return <span title={dateTime(lead.createdAt)}>{durationOf(minutesSince(lead.createdAt, now))}</span>;
}

export const leadColumns = (place: LeadsSearch): Column<LeadRow, LeadSort>[] => [
  { key: "name", header: "Lead", sort: "name", cell: (lead) => <LeadLink lead={lead} place={place} /> },
  { key: "state", header: "State", width: 104, cell: ({ status }) => LEAD_STATUS_NAMES[status] },
  { key: "next", header: "Next", width: 200, sort: "due", cell: (lead) => <NextLine lead={lead} isConflictShown /> },
  {
    key: "marks",
    header: "To know",
    width: 250,
    cell: (lead) => (
      <span className="lead-row-marks">
        <LeadMarks lead={lead} hasConflict={lead.conflictState === "to_look_at"} />
      </span>
    ),
  },
  { key: "kind", header: "Kind", width: 92, cell: ({ domain }) => DOMAIN_NAMES[domain] },
  { key: "source", header: "Came by", width: 120, cell: cameBy },
  { key: "phone", header: "Phone", width: 120, isTabular: true, cell: ({ phone }) => phone || "–" },
  {
    key: "createdAt",
    header: "Age",
    width: 72,
    align: "right",
    isTabular: true,
    sort: "createdAt",
    cell: (lead) => <Age lead={lead} />,
  },
];

export const LeadPhoneRow = ({ lead, place }: RowProps) => (
  <>
    <span className="lead-phone-row">
      <LeadLink lead={lead} place={place} />
      <span>{LEAD_STATUS_NAMES[lead.status]}</span>
    </span>
    <span className="lead-phone-row">
      <span>
        <NextLine lead={lead} />
      </span>
      <Age lead={lead} />
    </span>
  </>
);

export const LeadAge = Age;
