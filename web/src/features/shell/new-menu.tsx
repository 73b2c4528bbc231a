import { ActionIcon, Button, Menu } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { IconChevronDown, IconPlus } from "@tabler/icons-react";
import { useToday } from "../../core/today.ts";
import { useCurrentUser } from "../../core/session.ts";
import { useIsPhone } from "../../ui/use-is-phone.ts";
import { newCommands, onlyUsable } from "./new-commands.ts";

/** Starts something new from anywhere. */
export function NewMenu() {
  const user = useCurrentUser();
  const isPhone = useIsPhone();
  const today = useToday();
  const commands = onlyUsable(user, newCommands(today));
  if (commands.length === 0) return null;
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
        {commands.map(({ label, menuLabel, to, icon: Icon }) => (
          <Menu.Item key={label} component={Link} to={to} leftSection={<Icon size={16} stroke={1.7} />}>
            {menuLabel}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
