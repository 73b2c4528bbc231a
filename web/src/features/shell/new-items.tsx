import { Menu } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useCurrentUser } from "../../core/session.ts";
import { useToday } from "../../core/today.ts";
import { newCommands, onlyUsable } from "./new-commands.ts";

/** What the menu “New” offers this person. */
export function NewItems() {
  const user = useCurrentUser();
  return onlyUsable(user, newCommands(useToday())).map(({ label, menuLabel, to, icon: Icon }) => (
    <Menu.Item key={label} component={Link} to={to} leftSection={<Icon size={16} stroke={1.7} />}>
      {menuLabel}
    </Menu.Item>
  ));
}
