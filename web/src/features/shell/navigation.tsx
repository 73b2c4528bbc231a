import { UnstyledButton } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useCurrentUser } from "../../core/session.ts";
import { PersonMark } from "../../ui/person-mark.tsx";
import { PracticeMark } from "../../ui/practice-mark.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { type NavigationItem, navigationFor } from "./navigation-items.ts";
import "./navigation.css";

/** Where everything is; `onNavigate` closes the drawer of a phone. */
export function Navigation({ onNavigate }: { onNavigate?: () => void }) {
  const user = useCurrentUser();
  const { work, practice } = navigationFor(user);
  return (
    <nav className="navigation" aria-label="Main">
      <div className="navigation-head">
        <PracticeMark name={user.practiceName} />
      </div>
      {work.length > 0 && <Items items={work} onNavigate={onNavigate} />}
      <div className="navigation-heading">Practice</div>
      <Items items={practice} onNavigate={onNavigate} />
      <AccountMenu>
        <UnstyledButton className="navigation-person" aria-label={`Account menu of ${user.userFullName}`}>
          <PersonMark name={user.userFullName} />
          <span className="navigation-label">{user.userFullName}</span>
        </UnstyledButton>
      </AccountMenu>
    </nav>
  );
}

function Items({ items, onNavigate }: { items: readonly NavigationItem[]; onNavigate: (() => void) | undefined }) {
  return (
    <ul className="navigation-items">
      {items.map(({ to, label, icon: Icon }) => (
        <li key={to}>
          <Link to={to} className="navigation-item" title={label} onClick={onNavigate}>
            <Icon size={16} stroke={1.7} aria-hidden />
            <span className="navigation-label">{label}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
