import { can } from "@app/shared/access";
import { importableKinds, mayImport } from "@app/shared/team-access";
import { IconDatabaseExport } from "@tabler/icons-react";
import type { AccountSearch } from "../../core/search.ts";
import { useCurrentUser } from "../../core/session.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { LinkButton } from "../../ui/links.tsx";
import { Section } from "../../ui/section.tsx";
import { ImportView } from "../imports/import-view.tsx";
import { ImportsSection } from "../imports/imports-section.tsx";
import { kindNamed } from "../imports/import-words.ts";
import { NewImport } from "../imports/new-import.tsx";

const NEW = "new";

export function YourDataTab({ search }: { search: AccountSearch }) {
  const user = useCurrentUser();
  const canWork = user.hasAccess && !user.mustSetUpTwoFactor;
  const [firstKind] = canWork ? importableKinds(user) : [];
  const page = search.page ?? 1;
  if (firstKind && search.import !== undefined) {
    const kind = search.import === NEW ? firstKind : kindNamed(search.import);
    return kind ? (
      <NewImport kind={mayImport(user, kind) ? kind : firstKind} />
    ) : (
      <ImportView key={search.import} id={search.import} page={page} />
    );
  }
  return (
    <>
      {firstKind && <ImportsSection page={page} />}
      <ExportSection canExport={canWork && can(user, "clients.read")} />
    </>
  );
}

const ExportSection = ({ canExport }: { canExport: boolean }) => (
  <Section title="Export">
    <EmptyState
      icon={<IconDatabaseExport size={24} stroke={1.7} />}
      title="No export of everything yet"
      order={3}
      actions={
        canExport && (
          <LinkButton to="/clients" variant="default">
            Open clients
          </LinkButton>
        )
      }
    >
      <p>A copy of all that the practice keeps, and the deletion of the practice, have their place here.</p>
      <p>
        This version exports the list of clients as CSV, from the page Clients. Whoever runs this installation can also
        copy its whole data folder.
      </p>
    </EmptyState>
  </Section>
);
