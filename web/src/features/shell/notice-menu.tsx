import { can } from "@app/shared/access";
import { ActionIcon, Menu } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { IconBell, IconMailX } from "@tabler/icons-react";
import { api } from "../../core/api.ts";
import { useCurrentUser } from "../../core/session.ts";

const FIRST_PAGE = { page: 1 };

/** What happened that somebody has to know of: at present, mail of the system that could not be sent. */
export function NoticeMenu() {
  const user = useCurrentUser();
  const unsent = api.mail.listUnsent.useQuery(FIRST_PAGE, { enabled: can(user, "practice.manage") });
  const count = unsent.data?.total ?? 0;
  const label = count === 0 ? "Notifications: none" : `Notifications: ${count}`;
  return (
    <Menu width={280}>
      <Menu.Target>
        <ActionIcon aria-label={label} className="top-bar-dot" data-on={count > 0 || undefined}>
          <IconBell size={16} stroke={1.7} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {count > 0 ? (
          <Menu.Item
            leftSection={<IconMailX size={16} stroke={1.7} />}
            renderRoot={(props) => <Link to="/email-settings" search={{ tab: "unsent" }} {...props} />}
          >
            {count === 1 ? "1 message could not be sent" : `${count} messages could not be sent`}
          </Menu.Item>
        ) : (
          <Menu.Label>No notifications. If something fails while you are away, it is listed here.</Menu.Label>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
