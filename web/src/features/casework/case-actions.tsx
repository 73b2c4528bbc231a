import { hasSigned } from "@app/shared/case-states";
import type { Case } from "@app/shared/cases";
import { Button, Group, Menu } from "@mantine/core";
import {
  IconArrowBackUp,
  IconArrowRight,
  IconCash,
  IconDots,
  IconEye,
  IconGavel,
  IconLock,
  IconPackage,
  IconPencil,
  IconUserPlus,
} from "@tabler/icons-react";

export type CaseDialogName =
  | "move"
  | "correct"
  | "edit"
  | "funding"
  | "party"
  | "preview"
  | "confidences"
  | "disclosure"
  | "courtPack";

interface Props {
  theCase: Case;
  mayChange: boolean;
  /** Whether they may give away papers of the case. */
  mayGive: boolean;
  onOpen: (dialog: CaseDialogName) => void;
}

const icon = { size: 16, stroke: 1.7, "aria-hidden": true } as const;

/** What can be done with a case, in the head of its tab. */
export function CaseActions({ theCase, mayChange, mayGive, onOpen }: Props) {
  return (
    <Group gap="xs">
      <Button
        size="xs"
        variant="default"
        leftSection={<IconEye size={14} stroke={1.7} aria-hidden />}
        onClick={() => onOpen("preview")}
      >
        What each party sees
      </Button>
      {mayChange && (
        <Button
          size="xs"
          leftSection={<IconArrowRight size={14} stroke={1.7} aria-hidden />}
          onClick={() => onOpen("move")}
        >
          Move on
        </Button>
      )}
      {mayChange && (
        <Menu>
          <Menu.Target>
            <Button size="xs" variant="default" aria-label="More about this case">
              <IconDots {...icon} />
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconPencil {...icon} />} onClick={() => onOpen("edit")}>
              Edit case
            </Menu.Item>
            <Menu.Item leftSection={<IconCash {...icon} />} onClick={() => onOpen("funding")}>
              Funding
            </Menu.Item>
            <Menu.Item leftSection={<IconUserPlus {...icon} />} onClick={() => onOpen("party")}>
              Add a party
            </Menu.Item>
            {theCase.parties.some(hasSigned) && (
              <Menu.Item leftSection={<IconLock {...icon} />} onClick={() => onOpen("confidences")}>
                Confidences
              </Menu.Item>
            )}
            <Menu.Item leftSection={<IconGavel {...icon} />} onClick={() => onOpen("disclosure")}>
              What may be told outside
            </Menu.Item>
            {mayGive && (
              <Menu.Item leftSection={<IconPackage {...icon} />} onClick={() => onOpen("courtPack")}>
                Court pack
              </Menu.Item>
            )}
            {theCase.lastStep && (
              <Menu.Item leftSection={<IconArrowBackUp {...icon} />} onClick={() => onOpen("correct")}>
                Take the last step back
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      )}
    </Group>
  );
}
