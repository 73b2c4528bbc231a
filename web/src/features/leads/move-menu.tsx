import { LEAD_STATUS_NAMES, LEAD_TRANSITIONS, type LeadStatus, type LeadTransition } from "@app/shared/lead-states";
import { ActionIcon, Menu } from "@mantine/core";
import { IconArrowRight, IconBriefcase, IconDots, IconRefresh, IconX } from "@tabler/icons-react";

const icon = { size: 16, stroke: 1.7, "aria-hidden": true } as const;

const WORDS = {
  move: (to: LeadStatus) => `Move to ${LEAD_STATUS_NAMES[to]}`,
  convert: () => "Convert to a case",
  lose: () => "Mark as lost",
  reopen: () => "Reopen as new",
} as const;
const ICONS = { move: IconArrowRight, convert: IconBriefcase, lose: IconX, reopen: IconRefresh } as const;

export const stepLabel = ({ to, step }: LeadTransition): string => WORDS[step](to);

interface Props {
  lead: { displayName: string; status: LeadStatus };
  onStep: (to: LeadStatus) => void;
}

/** What dragging does, for the keyboard and for phones; none where a lead ends. */
export function MoveMenu({ lead, onStep }: Props) {
  const ways = LEAD_TRANSITIONS[lead.status];
  if (ways.length === 0) return null;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon className="lead-menu" size={24} aria-label={`Move ${lead.displayName}`}>
          <IconDots size={16} stroke={1.7} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {ways.map((way) => {
          const Icon = ICONS[way.step];
          return (
            <Menu.Item key={way.to} leftSection={<Icon {...icon} />} onClick={() => onStep(way.to)}>
              {stepLabel(way)}
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}
