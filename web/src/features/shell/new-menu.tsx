import { can } from "@app/shared/access";
import { addDays } from "@app/shared/days";
import { ActionIcon, Button, Menu } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import {
  IconAddressBook,
  IconCalendarPlus,
  IconChevronDown,
  IconPlus,
  IconUserPlus,
  IconUsersPlus,
} from "@tabler/icons-react";
import { useToday } from "../../core/today.ts";
import { useCurrentUser } from "../../core/session.ts";
import { useIsPhone } from "../../ui/use-is-phone.ts";

/** Starts something new from anywhere. */
export function NewMenu() {
  const user = useCurrentUser();
  const isPhone = useIsPhone();
  const mayRead = can(user, "clients.read");
  const canAddClient = mayRead && can(user, "clients.write");
  const canBook = mayRead && can(user, "calendar.manage");
  const canInvite = can(user, "staff.manage");
  if (!canAddClient && !canBook && !canInvite) return null;
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
        <NewItems canAddClient={canAddClient} canBook={canBook} canInvite={canInvite} />
      </Menu.Dropdown>
    </Menu>
  );
}

interface ItemsProps {
  canAddClient: boolean;
  canBook: boolean;
  canInvite: boolean;
}

function NewItems({ canAddClient, canBook, canInvite }: ItemsProps) {
  const today = useToday();
  return (
    <>
      {canAddClient && (
        <Menu.Item component={Link} to="/clients/create" leftSection={<IconUserPlus size={16} stroke={1.7} />}>
          Client
        </Menu.Item>
      )}
      {canAddClient && (
        <Menu.Item component={Link} to="/contacts?add=true" leftSection={<IconAddressBook size={16} stroke={1.7} />}>
          Contact
        </Menu.Item>
      )}
      {canBook && (
        <Menu.Item
          component={Link}
          to={`/calendar?book=${addDays(today, 1)}T09:00`}
          leftSection={<IconCalendarPlus size={16} stroke={1.7} />}
        >
          Meeting
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
    </>
  );
}
