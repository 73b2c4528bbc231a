import { can } from "@app/shared/access";
import { ActionIcon, Button, Menu } from "@mantine/core";
import { IconChevronDown, IconPlus } from "@tabler/icons-react";
import { useCurrentUser } from "../../core/session.ts";
import { useIsPhone } from "../../ui/use-is-phone.ts";
import { later } from "../../ui/later.tsx";

const NewItems = later(async () => (await import("./new-items.tsx")).NewItems);

/** Whoever may do none of these begins nothing. */
const NEEDED = [["clients.read", "clients.write"], ["clients.read", "calendar.manage"], ["staff.manage"]] as const;

/** Starts something new from anywhere. */
export function NewMenu() {
  const user = useCurrentUser();
  const isPhone = useIsPhone();
  if (!NEEDED.some((needs) => needs.every((action) => can(user, action)))) return null;
  return (
    <Menu>
      <Menu.Target>
        {isPhone ? (
          <ActionIcon aria-label="New" className="top-bar-touch">
            <IconPlus size={20} stroke={1.7} />
          </ActionIcon>
        ) : (
          <Button
            variant="default"
            leftSection={<IconPlus size={14} stroke={1.7} aria-hidden />}
            rightSection={<IconChevronDown size={14} stroke={1.7} aria-hidden />}
          >
            New
          </Button>
        )}
      </Menu.Target>
      <Menu.Dropdown>
        <NewItems />
      </Menu.Dropdown>
    </Menu>
  );
}
