import type { MediatorType } from "@app/shared/regions";
import { IconUsers } from "@tabler/icons-react";
import { useCurrentUser } from "../../core/session.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { LinkButton, TextLink } from "../../ui/links.tsx";
import { Section } from "../../ui/section.tsx";

const FIRST: Record<MediatorType, string> = {
  family: "Add the people who mediate with you, and open their case",
  workplace: "Add the colleagues in dispute, their employer as a contact, and open their case",
  civil: "Add the people or companies in dispute, their solicitors as contacts, and open their case",
  community: "Add the neighbours or groups in dispute, and open their case",
  other: "Add the people who mediate with you, and open their case",
};

/** What to do first, while there are no cases. */
export function FirstSteps({ mayAdd }: { mayAdd: boolean }) {
  const { mediatorType } = useCurrentUser();
  return (
    <Section title="Cases" action={<TextLink to="/clients">All clients</TextLink>}>
      <EmptyState
        order={3}
        icon={<IconUsers size={24} stroke={1.7} />}
        title="No cases under way"
        actions={mayAdd && <LinkButton to="/clients/create">Add a client</LinkButton>}
      >
        {FIRST[mediatorType]}: the board then says in which state each case is, and who holds it up.
      </EmptyState>
    </Section>
  );
}
