import { can, type OwnerAction, type Permission } from "@app/shared/access";
import { addDays } from "@app/shared/days";
import type { CurrentUser } from "@app/shared/users";
import { IconAddressBook, IconCalendarPlus, IconUserPlus, IconUsersPlus } from "@tabler/icons-react";

export interface Command {
  label: string;
  /** What else people call it. */
  words: string;
  /** What it needs first. */
  hint?: string;
  to: string;
  icon: typeof IconUserPlus;
  needs: readonly (Permission | OwnerAction)[];
}

/** What stands in the menu “New” too, and what it is called there. */
interface NewCommand extends Command {
  menuLabel: string;
}

/** What is begun most. */
export const newCommands = (today: string): NewCommand[] => [
  {
    label: "New client",
    menuLabel: "Client",
    words: "add create person party intake",
    to: "/clients/create",
    icon: IconUserPlus,
    needs: ["clients.read", "clients.write"],
  },
  {
    label: "New contact",
    menuLabel: "Contact",
    words: "add create solicitor interpreter person",
    to: "/contacts?add=true",
    icon: IconAddressBook,
    needs: ["clients.read", "clients.write"],
  },
  {
    label: "Book a meeting",
    menuLabel: "Meeting",
    words: "add new create schedule appointment session miam call",
    to: `/calendar?book=${addDays(today, 1)}T09:00`,
    icon: IconCalendarPlus,
    needs: ["clients.read", "calendar.manage"],
  },
  {
    label: "Invite a colleague",
    menuLabel: "Person in your practice",
    words: "add new staff user mediator team member",
    to: "/settings/user-permissions?invite=true",
    icon: IconUsersPlus,
    needs: ["staff.manage"],
  },
];

/** Those that this person may use. */
export const onlyUsable = <Each extends Command>(user: CurrentUser, commands: readonly Each[]): Each[] =>
  commands.filter(({ needs }) => needs.every((action) => can(user, action)));
