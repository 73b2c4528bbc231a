import type { ClientCase } from "@app/shared/case-rows";
import type { CLIENT_SORTS, ClientRow } from "@app/shared/clients";
import type { Region } from "@app/shared/regions";
import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Formats } from "../../core/format.ts";
import { Chip } from "../../ui/chip.tsx";
import type { Column } from "../../ui/data-table.tsx";
import { PartyMarker } from "../../ui/party-marker.tsx";
import { CaseStatusMark } from "../cases/case-status.tsx";
import { shortStepOf } from "../cases/case-waiting.ts";
import { DueDay } from "../tasks/due-day.tsx";
import { SafeContactChip } from "./safe-contact-chip.tsx";

export type ClientSort = (typeof CLIENT_SORTS)[number];

export const ClientLink = ({ client }: { client: ClientRow }) => (
  <Anchor
    renderRoot={(props) => <Link to="/clients/view/$id" params={{ id: client.id }} {...props} />}
    c="inherit"
    fw={500}
    fz="inherit"
    underline="hover"
  >
    {client.displayName}
  </Anchor>
);

type Cases = ReadonlyMap<string, ClientCase>;

/** Those that stand there unless they are put away, then those that are away unless they are asked for. */
export const CASE_COLUMNS = ["case", "otherParty", "status", "nextStep", "due", "wait", "safeContact"] as const;
export const MORE_COLUMNS = ["email", "phone", "tags", "createdAt", "updatedAt"] as const;

export const clientColumns = (formats: Formats, cases: Cases): Column<ClientRow, ClientSort>[] => [
  { key: "name", header: "Client", sort: "name", cell: (client) => <ClientLink client={client} /> },
  ...caseColumns(cases, formats),
  {
    key: "safeContact",
    header: "Safe contact",
    width: 124,
    cell: (client) => <SafeContactChip client={client} otherwise="–" />,
  },
  { key: "email", header: "Email", width: 242, cell: (client) => client.email || "–" },
  { key: "phone", header: "Phone", width: 116, isTabular: true, cell: (client) => client.phone || "–" },
  { key: "tags", header: "Tags", width: 104, cell: (client) => (client.tags[0] ? <Chip>{client.tags[0]}</Chip> : "–") },
  {
    key: "createdAt",
    header: "Added",
    width: 100,
    isTabular: true,
    sort: "createdAt",
    cell: (client) => formats.day(client.createdAt),
  },
  {
    key: "updatedAt",
    header: "Changed",
    width: 100,
    isTabular: true,
    sort: "updatedAt",
    cell: (client) => formats.day(client.updatedAt),
  },
];

function caseColumns(cases: Cases, { region }: Formats): Column<ClientRow, ClientSort>[] {
  const column = (key: string, header: string, width: number, cell: (own: ClientCase) => ReactNode) => ({
    key,
    header,
    width,
    cell: ({ id }: ClientRow) => {
      const own = cases.get(id);
      return (own && cell(own)) || <span className="quiet-text">–</span>;
    },
  });
  return [
    column("case", "Case", 92, ({ theCase }) => <span className="client-quiet">{theCase.caseRef}</span>),
    column("otherParty", "Other participant", 140, (own) => (
      <span className="client-quiet">{othersOf(own) || "Not yet named"}</span>
    )),
    column("status", "Status", 124, ({ theCase }) => <CaseStatusMark status={theCase.status} />),
    column("nextStep", "Next step", 172, (own) => stepOf(own, region)),
    column("due", "Due", 74, ({ task }) => task && <DueDay dueOn={task.dueOn} />),
    column("wait", "Wait", 52, waitOf),
  ];
}

const othersOf = ({ clientId, theCase }: ClientCase): string =>
  theCase.parties
    .filter((party) => party.clientId !== clientId)
    .map(({ name }) => name)
    .join(", ");

const stepOf = ({ task, theCase }: ClientCase, region: Region): string => task?.title ?? shortStepOf(theCase, region);

function waitOf({ theCase: { waitingFor, waitingLabel } }: ClientCase): ReactNode {
  if (waitingFor === "practice") return <PartyMarker label="Us" />;
  return waitingLabel !== "" && <PartyMarker label={waitingLabel} />;
}

interface PhoneProps {
  client: ClientRow;
  own: ClientCase | undefined;
  formats: Formats;
}

/** Two lines: who and how it stands, then what is next and when. */
export const ClientPhoneRow = ({ client, own, formats }: PhoneProps) => (
  <>
    <span className="client-phone-row">
      <ClientLink client={client} />
      <SafeContactChip client={client} />
      {own && <CaseStatusMark status={own.theCase.status} />}
    </span>
    <span className="client-phone-row">
      {own ? (
        <>
          <span className="client-phone-step">
            {waitOf(own) || "–"} {stepOf(own, formats.region)}
          </span>
          <DueDay dueOn={own.task?.dueOn ?? null} />
        </>
      ) : (
        <>
          <span>{client.phone || client.email || "No phone or email"}</span>
          <span className="tabular">{formats.day(client.updatedAt)}</span>
        </>
      )}
    </span>
  </>
);
