import { REGIONS } from "@app/shared/regions";
import { IconScale } from "@tabler/icons-react";
import { useCurrentUser } from "../../core/session.ts";
import { useTitle } from "../../core/title.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { LinkButton } from "../../ui/links.tsx";
import { PageHead } from "../../ui/page-head.tsx";

export function LegalAidPage() {
  useTitle("Legal aid");
  const { label, legalAid } = REGIONS[useCurrentUser().region];
  return (
    <>
      <PageHead title="Legal aid" meta={label} />
      <EmptyState
        icon={<IconScale size={24} stroke={1.7} />}
        title="Nothing to claim yet"
        actions={<LinkButton to="/clients">Open clients</LinkButton>}
      >
        <p>{legalAid}: work that legal aid pays for will be checked here and made into a file.</p>
        <p>This version makes no claims yet. Go on claiming the way you do now.</p>
      </EmptyState>
    </>
  );
}
