import { can } from "@app/shared/access";
import { ActionIcon, Button, Menu } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { IconChevronDown, IconPlus, IconUserPlus, IconUsersPlus } from "@tabler/icons-react";
import { useCurrentUser } from "../../core/session.ts";
import { useIsPhone } from "../../ui/use-is-phone.ts";

/** Starts something new from anywhere. */
export function NewMenu() {
  const user = useCurrentUser();
  const isPhone = useIsPhone();
  const canAddClient = can(user, "clients.write");
  const canInvite = can(user, "staff.manage");
  if (!canAddClient && !canInvite) return null;
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
        {canAddClient && (
          <Menu.Item component={Link} to="/clients/create" leftSection={<IconUserPlus size={16} stroke={1.7} />}>
            Client
          </Menu.Item>
        )}
        {canInvite && (
          <Menu.Item
            component={Link}
            to="/settings/user-permissions?invite=true"
            leftSection={<IconUsersPlus size={16} stroke={1.7} />}
          >
            Person in your practice
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
