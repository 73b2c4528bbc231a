import { IconUsers } from "@tabler/icons-react";
import { EmptyState } from "../../ui/empty-state.tsx";
import { LinkButton, TextLink } from "../../ui/links.tsx";
import { Section } from "../../ui/section.tsx";

/** What to do first, while there are no cases. */
export function FirstSteps({ mayAdd }: { mayAdd: boolean }) {
  return (
    <Section title="Cases" action={<TextLink to="/clients">All clients</TextLink>}>
      <EmptyState
        order={3}
        icon={<IconUsers size={24} stroke={1.7} />}
        title="No cases under way"
        actions={mayAdd && <LinkButton to="/clients/create">Add a client</LinkButton>}
      >
        Add the people who mediate with you, and open their case: the board then says in which state each case is, and
        who holds it up.
      </EmptyState>
    </Section>
  );
}
