import { PRIVILEGE_NAMES, PROPOSAL_PRIVILEGE } from "@app/shared/privileges";
import type { Proposal } from "@app/shared/sessions";
import { ActionIcon } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { useCockpit } from "./cockpit-context.ts";
import { ProposalDialog } from "./proposal-dialog.tsx";
import { ProposalRow } from "./proposal-row.tsx";

/** Offers and answers, a thread for each issue. */
export function Proposals() {
  const { session, isOpen } = useCockpit();
  const [isAdding, setIsAdding] = useState(false);
  const [answered, setAnswered] = useState<Proposal | null>(null);
  const issues = Map.groupBy(session.proposals, ({ issue }) => issue);
  return (
    <section className="cockpit-proposals" aria-label="Proposals">
      <div className="cockpit-section-head" data-ruled>
        <h2>Proposals</h2>
        <span className="cockpit-privilege">{PRIVILEGE_NAMES[PROPOSAL_PRIVILEGE]}</span>
        {isOpen && (
          <ActionIcon variant="default" size={26} aria-label="Add a proposal" onClick={() => setIsAdding(true)}>
            <IconPlus size={16} stroke={1.7} />
          </ActionIcon>
        )}
      </div>
      {issues.size === 0 && <p className="cockpit-none">Nobody has offered anything yet.</p>}
      {[...issues].map(([issue, proposals]) => (
        <section key={issue} className="cockpit-thread" aria-label={issue}>
          <h3>{issue}</h3>
          <ol>
            {proposals.map((proposal) => (
              <ProposalRow key={proposal.id} proposal={proposal} onAnswer={() => setAnswered(proposal)} />
            ))}
          </ol>
        </section>
      ))}
      {isAdding && <ProposalDialog onClose={() => setIsAdding(false)} />}
      {answered && <ProposalDialog answered={answered} onClose={() => setAnswered(null)} />}
    </section>
  );
}
