import { ActionIcon, Burger } from "@mantine/core";
import { IconLayoutSidebar } from "@tabler/icons-react";
import { useCurrentUser } from "../../core/session.ts";
import { useCurrentTitle } from "../../core/title.ts";
import { PersonMark } from "../../ui/person-mark.tsx";
import { useIsPhone } from "../../ui/use-is-phone.ts";
import { RunningImport } from "../imports/running-import.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { NewMenu } from "./new-menu.tsx";
import { NoticeMenu } from "./notice-menu.tsx";
import { Search } from "./search.tsx";
import "./top-bar.css";

interface Props {
  isNavigationOpen: boolean;
  onNavigation: () => void;
}

export function TopBar({ isNavigationOpen, onNavigation }: Props) {
  const user = useCurrentUser();
  const title = useCurrentTitle();
  const isPhone = useIsPhone();
  const canWork = user.hasAccess && !user.mustSetUpTwoFactor;
  if (isPhone) {
    return (
      <header className="top-bar">
        <Burger
          opened={isNavigationOpen}
          onClick={onNavigation}
          size={18}
          aria-label="Menu"
          className="top-bar-touch"
        />
        <div className="top-bar-title" aria-hidden>
          {title}
        </div>
        {canWork && <Search />}
        {canWork && <NewMenu />}
      </header>
    );
  }
  return (
    <header className="top-bar">
      <ActionIcon
        aria-label={isNavigationOpen ? "Show the menu as icons" : "Show the menu with words"}
        aria-pressed={!isNavigationOpen}
        onClick={onNavigation}
      >
        <IconLayoutSidebar size={16} stroke={1.7} />
      </ActionIcon>
      {canWork && <Search />}
      <div className="top-bar-end">
        {canWork && <RunningImport />}
        {canWork && <NewMenu />}
        {canWork && <NoticeMenu />}
        <AccountMenu>
          <ActionIcon aria-label={`Account menu of ${user.userFullName}`} radius="xl">
            <PersonMark name={user.userFullName} />
          </ActionIcon>
        </AccountMenu>
      </div>
    </header>
  );
}
