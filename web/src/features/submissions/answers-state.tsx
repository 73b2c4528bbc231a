import { SUBMISSION_STATUS_NAMES } from "@app/shared/submission-states";
import type { SubmissionRow } from "@app/shared/submissions";
import { IconFlag } from "@tabler/icons-react";
import { Chip } from "../../ui/chip.tsx";

/** How answers stand, and what somebody asked to be told of in them. */
export const AnswersState = ({
  row: { status, isSuspect, flags },
}: {
  row: Pick<SubmissionRow, "status" | "isSuspect" | "flags">;
}) => (
  <span className="answers-state">
    <Chip>{isSuspect ? "Spam?" : SUBMISSION_STATUS_NAMES[status]}</Chip>
    {flags.map((flag) => (
      <Chip key={flag} tone="safety" icon={<IconFlag size={14} stroke={1.7} aria-hidden />}>
        <span className="answers-mark" title={flag}>
          {flag}
        </span>
      </Chip>
    ))}
  </span>
);
