import { type LeadRow } from "@app/shared/leads";
import { LEAD_REACH_NAMES } from "@app/shared/lead-reaches";
import { IconAlertTriangle, IconMessageOff, IconUsersGroup } from "@tabler/icons-react";
import { Chip } from "../../ui/chip.tsx";

const icon = { size: 14, stroke: 1.7, "aria-hidden": true } as const;

type Marked = Pick<LeadRow, "reachBy" | "isFlagged" | "hasTwins" | "isSpam" | "isFromSpammer">;

interface Props {
  lead: Marked;
  hasConflict?: boolean;
}

/** What somebody has to know before they do anything: how they may be reached, and whether they asked before. */
export const LeadMarks = ({
  lead: { reachBy, isFlagged, hasTwins, isSpam, isFromSpammer },
  hasConflict = false,
}: Props) => (
  <>
    {isSpam && <Chip tone="outline">Spam</Chip>}
    {isFromSpammer && <Chip tone="outline">Sender of spam</Chip>}
    {hasConflict && <Chip tone="late">Conflict to look at</Chip>}
    {isFlagged && (
      <Chip tone="safety" icon={<IconAlertTriangle {...icon} />}>
        Read the answers first
      </Chip>
    )}
    {reachBy !== "" && reachBy !== "any" && (
      <Chip tone="safety" icon={<IconMessageOff {...icon} />}>
        {LEAD_REACH_NAMES[reachBy]}
      </Chip>
    )}
    {hasTwins && (
      <Chip tone="outline" icon={<IconUsersGroup {...icon} />}>
        Perhaps twice
      </Chip>
    )}
  </>
);

export const hasMarks = ({ reachBy, isFlagged, hasTwins, isSpam, isFromSpammer }: Marked): boolean =>
  hasTwins || isFlagged || isSpam || isFromSpammer || (reachBy !== "" && reachBy !== "any");
