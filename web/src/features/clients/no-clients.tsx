import { can } from "@app/shared/access";
import { Button } from "@mantine/core";
import { IconUsers } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useCurrentUser } from "../../core/session.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import type { ClientsSearch } from "./clients-search.ts";

interface Props {
  search: ClientsSearch;
  onClear: () => void;
}

/** Why the list is empty, and what to do about it. */
export function NoClients({ search, onClear }: Props) {
  const user = useCurrentUser();
  const icon = <IconUsers size={24} stroke={1.7} />;
  const showAll = (
    <Button variant="default" onClick={onClear}>
      Show all clients
    </Button>
  );
  if (search.search || search.kind || search.safety || search.page) {
    return (
      <EmptyState icon={icon} title="No client matches this" actions={showAll}>
        Check the spelling, or take a filter away. Every word has to begin a name, an email address, a postcode or a
        phone number.
      </EmptyState>
    );
  }
  if (search.status === "archived") {
    return (
      <EmptyState icon={icon} title="The archive is empty" actions={showAll}>
        Clients you archive are kept here, and can be brought back.
      </EmptyState>
    );
  }
  const add = <Button renderRoot={(props) => <Link to="/clients/create" {...props} />}>Add your first client</Button>;
  return (
    <EmptyState icon={icon} title="No clients yet" actions={can(user, "clients.write") ? add : undefined}>
      Everybody who is or was a party to a mediation is kept here, with how they may safely be reached.
    </EmptyState>
  );
}
