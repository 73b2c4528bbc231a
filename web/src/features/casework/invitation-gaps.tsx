import type { InvitationGap } from "@app/shared/contact-agreements";
import { Button } from "@mantine/core";

const LEADS: Record<InvitationGap["kind"], string> = {
  conflict: "Go to the conflict check",
  step: "Open their record",
  agreement: "Open their record",
  screening: "Go to safety and suitability",
};

interface Props {
  gaps: readonly InvitationGap[];
  onLead: (gap: InvitationGap) => void;
}

/** What comes before somebody is invited, each with the way to where it is recorded. */
export function InvitationGaps({ gaps, onLead }: Props) {
  return (
    <>
      <p className="attempt-note">Nobody is invited yet. First:</p>
      <ul className="attempts">
        {gaps.map((gap) => (
          <li key={gap.text} className="attempt-head">
            <span>{gap.text}</span>
            <Button size="compact-xs" variant="subtle" onClick={() => onLead(gap)}>
              {LEADS[gap.kind]}
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}
