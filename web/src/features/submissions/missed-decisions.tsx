import type { Proposal } from "@app/shared/submissions";
import { Button } from "@mantine/core";
import { useState } from "react";
import type { Choice } from "./deciding.tsx";

interface Missed {
  proposal: Proposal;
  choice: Choice;
}

/** What somebody decided when a colleague had already; kept here, because the row that was pressed is drawn anew. */
export function useMissed() {
  const [missed, setMissed] = useState<readonly Missed[]>([]);
  const others = (fieldId: string) => (one: Missed) => one.proposal.fieldId !== fieldId;
  return {
    missed,
    miss: (proposal: Proposal, choice: Choice) =>
      setMissed((before) => [...before.filter(others(proposal.fieldId)), { proposal, choice }]),
    close: (fieldId: string) => setMissed((before) => before.filter(others(fieldId))),
  };
}

interface Props {
  missed: readonly Missed[];
  /** As they are now. */
  proposals: readonly Proposal[];
  onClose: (fieldId: string) => void;
}

/** Said until somebody closes it: what stands in the record may be what they refused. */
export function MissedDecisions({ missed, proposals, onClose }: Props) {
  const told = missed.flatMap((one) => {
    const words = wordsOf(one, proposals);
    return words === null ? [] : [{ fieldId: one.proposal.fieldId, words }];
  });
  return told.map(({ fieldId, words }) => (
    <div key={fieldId} role="alert" className="review-failure">
      {words}{" "}
      <Button size="xs" variant="subtle" onClick={() => onClose(fieldId)}>
        Close
      </Button>
    </div>
  ));
}

const DID = { accepted: "accepted this", edited: "stored this with changes", rejected: "rejected this" } as const;
const NOT_DONE = { accepted: "accepted", edited: "stored as you wrote it", rejected: "rejected" } as const;

/** Null where it still waits: its own row says then why it was refused. */
function wordsOf({ proposal: { fieldId, targetName }, choice }: Missed, proposals: readonly Proposal[]): string | null {
  const target = `${targetName.charAt(0).toUpperCase()}${targetName.slice(1)}`;
  const now = proposals.find((one) => one.fieldId === fieldId);
  if (!now) return `${target}: somebody changed this on the client a moment ago, so there is nothing to decide.`;
  if (now.decision === "pending") return null;
  const next =
    now.decision === "rejected"
      ? "Enter it on the client if it is right."
      : "Change it on the client if it is not right.";
  const did = `${now.byName} ${DID[now.decision]} a moment ago`;
  if (now.decision === choice && choice !== "edited") return `${target}: ${did}, as you wanted to.`;
  return `${target}: ${did}, so it was not ${NOT_DONE[choice]}. ${next}`;
}
