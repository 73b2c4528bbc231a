import { Button } from "@mantine/core";
import { IconInbox } from "@tabler/icons-react";
import { EmptyState } from "../../ui/empty-state.tsx";
import { LinkButton } from "../../ui/links.tsx";
import type { LeadsListSearch } from "./leads-search.ts";

interface Props {
  search: LeadsListSearch;
  onClear: () => void;
}

/** Why there is nothing here, and what to do about it. */
export function NoLeads({ search, onClear }: Props) {
  const icon = <IconInbox size={24} stroke={1.7} />;
  const { search: text, state, source, channel, age, page } = search;
  if (text || state || source || channel || age || page) {
    const showAll = (
      <Button variant="default" onClick={onClear}>
        Show all open leads
      </Button>
    );
    return (
      <EmptyState icon={icon} title="No lead matches this" actions={showAll}>
        Check the spelling, or take a filter away. Every word has to stand in a name, an organisation, an email address
        or a campaign, or begin a phone number. The other person is not searched for.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={icon}
      title="No open leads"
      actions={
        <LinkButton to="/leads" search={{ add: true }}>
          Add a lead
        </LinkButton>
      }
    >
      Everybody who asks about mediation is listed here until they become a client or go elsewhere, with when to answer,
      what comes next and whether you know anybody they name.
    </EmptyState>
  );
}
