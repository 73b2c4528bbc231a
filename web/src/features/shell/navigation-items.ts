import { can, type Permission, type OwnerAction } from "@app/shared/access";
import type { CurrentUser } from "@app/shared/users";
import {
  IconAddressBook,
  IconCalendar,
  IconChartBar,
  IconChecklist,
  IconCreditCard,
  IconFileText,
  IconForms,
  IconHelpCircle,
  IconInbox,
  IconLayoutDashboard,
  IconLock,
  IconMail,
  IconScale,
  IconSettings,
  IconUsers,
} from "@tabler/icons-react";

export interface NavigationItem {
  to: Destination;
  label: string;
  icon: typeof IconUsers;
  needs?: Permission | OwnerAction;
}

type Destination =
  | "/dashboard"
  | "/clients"
  | "/contacts"
  | "/calendar"
  | "/tasks"
  | "/leads"
  | "/settings/documents"
  | "/settings/forms"
  | "/reports"
  | "/legalaid"
  | "/payment-settings"
  | "/email-settings"
  | "/settings/user-permissions"
  | "/account"
  | "/support";

const WORK: readonly NavigationItem[] = [
  { to: "/dashboard", label: "Dashboard", icon: IconLayoutDashboard },
  { to: "/clients", label: "Clients", icon: IconUsers, needs: "clients.read" },
  { to: "/contacts", label: "Contacts", icon: IconAddressBook, needs: "clients.read" },
  { to: "/calendar", label: "Calendar", icon: IconCalendar },
  { to: "/tasks", label: "Tasks", icon: IconChecklist, needs: "clients.read" },
  { to: "/leads", label: "Leads", icon: IconInbox, needs: "leads.manage" },
  { to: "/settings/documents", label: "Documents", icon: IconFileText, needs: "documents.manage" },
  { to: "/settings/forms", label: "Forms", icon: IconForms, needs: "forms.manage" },
  { to: "/reports", label: "Reports", icon: IconChartBar, needs: "reports.read" },
  { to: "/legalaid", label: "Legal aid", icon: IconScale, needs: "legalaid.export" },
];

const PRACTICE: readonly NavigationItem[] = [
  { to: "/payment-settings", label: "Payments", icon: IconCreditCard, needs: "payments.read" },
  { to: "/email-settings", label: "Email", icon: IconMail },
  { to: "/settings/user-permissions", label: "Staff and permissions", icon: IconLock, needs: "staff.manage" },
  { to: "/account", label: "Account", icon: IconSettings },
  { to: "/support", label: "Support", icon: IconHelpCircle },
];

/** What this person may open: without a subscription only the account page is left. */
export function navigationFor(user: CurrentUser) {
  const isOpen = ({ to, needs }: NavigationItem) =>
    to === "/account" || (user.hasAccess && !user.mustSetUpTwoFactor && (needs === undefined || can(user, needs)));
  return { work: WORK.filter(isOpen), practice: PRACTICE.filter(isOpen) };
}
