import type { CLIENT_SORTS, ClientRow } from "@app/shared/clients";
import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { formatsFor } from "../../core/format.ts";
import { Chip } from "../../ui/chip.tsx";
import type { Column } from "../../ui/data-table.tsx";
import { SafeContactChip } from "./safe-contact-chip.tsx";

type Formats = ReturnType<typeof formatsFor>;
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

export const clientColumns = (formats: Formats): Column<ClientRow, ClientSort>[] => [
  { key: "name", header: "Client", sort: "name", cell: (client) => <ClientLink client={client} /> },
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

export const ClientPhoneRow = ({ client, formats }: { client: ClientRow; formats: Formats }) => (
  <>
    <span className="client-phone-row">
      <ClientLink client={client} />
      <SafeContactChip client={client} />
    </span>
    <span className="client-phone-row">
      <span>{client.phone || client.email || "No phone or email"}</span>
      <span className="tabular">{formats.day(client.updatedAt)}</span>
    </span>
  </>
);
