import { can } from "@app/shared/access";
import { IconDatabaseExport } from "@tabler/icons-react";
import { useCurrentUser } from "../../core/session.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { LinkButton } from "../../ui/links.tsx";

export function YourDataTab() {
  const user = useCurrentUser();
  const canExport = user.hasAccess && can(user, "clients.read");
  return (
    <EmptyState
      icon={<IconDatabaseExport size={24} stroke={1.7} />}
      title="No export of everything yet"
      actions={canExport && <LinkButton to="/clients">Open clients</LinkButton>}
    >
      <p>A copy of all that the practice keeps, and the deletion of the practice, have their place here.</p>
      <p>
        This version exports the list of clients as CSV, from the page Clients. Whoever runs this installation can also
        copy its whole data folder.
      </p>
    </EmptyState>
  );
}
