import type { ClientRow } from "@app/shared/clients";
import { IconUsers } from "@tabler/icons-react";
import { useFormats } from "../../core/format.ts";
import { Loaded } from "../../core/loaded.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { LinkButton, TextLink } from "../../ui/links.tsx";
import { Section } from "../../ui/section.tsx";

const SHOWN = 8;

interface Props {
  query: { data: { items: ClientRow[]; total: number } | undefined; error: unknown; refetch: () => unknown };
  mayAdd: boolean;
}

export function RecentClients({ query, mayAdd }: Props) {
  return (
    <Section
      title="Clients changed lately"
      count={query.data?.total || undefined}
      action={<TextLink to="/clients">All clients</TextLink>}
    >
      <Loaded query={query} failureTitle="Your clients could not be read">
        {({ items }) => (items.length === 0 ? <NoClients mayAdd={mayAdd} /> : <Rows clients={items.slice(0, SHOWN)} />)}
      </Loaded>
    </Section>
  );
}

function Rows({ clients }: { clients: readonly ClientRow[] }) {
  const formats = useFormats();
  return (
    <ul className="rows">
      {clients.map((client) => (
        <li key={client.id}>
          <TextLink to="/clients/view/$id" params={{ id: client.id }} className="dashboard-client">
            {client.displayName}
          </TextLink>
          <span className="dashboard-client-email">{client.email}</span>
          <time className="tabular" dateTime={client.updatedAt} title={formats.dateTime(client.updatedAt)}>
            {formats.relative(client.updatedAt)}
          </time>
        </li>
      ))}
    </ul>
  );
}

function NoClients({ mayAdd }: { mayAdd: boolean }) {
  return (
    <EmptyState
      order={3}
      icon={<IconUsers size={24} stroke={1.7} />}
      title="No clients yet"
      actions={mayAdd && <LinkButton to="/clients/create">Add the first client</LinkButton>}
    >
      People and organisations that mediate with you, and how they may be reached without putting them at risk.
    </EmptyState>
  );
}
