import { can } from "@app/shared/access";
import type { Dashboard } from "@app/shared/dashboard";
import { IconCalendarPlus, IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { useFormats } from "../../core/format.ts";
import { Loaded, Loading } from "../../core/loaded.tsx";
import { useCurrentUser } from "../../core/session.ts";
import { useTitle } from "../../core/title.ts";
import { useToday } from "../../core/today.ts";
import { LinkButton } from "../../ui/links.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { later } from "../../ui/later.tsx";
import "./dashboard-page.css";

// Asked for at once, so that it is there by the time the data are.
const content = import("./dashboard-content.tsx");
const DashboardContent = later(async () => (await content).DashboardContent, <Loading />);

/** The day in one look. What the practice does not keep yet says so in its place. */
export function DashboardPage() {
  useTitle("Dashboard");
  const user = useCurrentUser();
  const formats = useFormats();
  const mayRead = can(user, "clients.read");
  const dashboard = api.dashboard.get.useQuery(undefined, { enabled: mayRead });
  const today = useToday();
  const [now] = useState(() => new Date());
  const add = (
    <>
      {mayRead && can(user, "calendar.manage") && (
        <LinkButton
          to="/calendar"
          search={{ book: `${today}T09:00` }}
          variant="default"
          leftSection={<IconCalendarPlus size={14} stroke={1.7} aria-hidden />}
        >
          Book a meeting
        </LinkButton>
      )}
      {mayRead && can(user, "clients.write") && (
        <LinkButton to="/clients/create" leftSection={<IconPlus size={14} stroke={1.7} aria-hidden />}>
          Add client
        </LinkButton>
      )}
    </>
  );
  return (
    <>
      <PageHead
        title={formats.longDay(now)}
        meta={dashboard.data ? inOneSentence(dashboard.data) : greeting(user.firstName, user.timeZone, now)}
        actions={add}
        isTitleKeptOnPhone
      />
      {mayRead ? (
        <Loaded query={dashboard} failureTitle="The dashboard could not be read">
          {(data) => <DashboardContent data={data} />}
        </Loaded>
      ) : (
        <p className="dashboard-nothing">You may not see clients and cases. Ask the owner of the practice.</p>
      )}
    </>
  );
}

function greeting(firstName: string, timeZone: string, now: Date): string {
  const hour = Number(new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", hourCycle: "h23" }).format(now));
  if (hour < 12) return `Good morning, ${firstName}`;
  return hour < 18 ? `Good afternoon, ${firstName}` : `Good evening, ${firstName}`;
}

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

function inOneSentence({ meetings, overdueTasks, certificates, board }: Dashboard): string {
  const parts = [
    meetings.total > 0 && counted(meetings.total, "meeting today", "meetings today"),
    board.total > 0 && counted(board.total, "case", "cases"),
    overdueTasks > 0 && `${counted(overdueTasks, "task", "tasks")} overdue`,
    certificates.total > 0 &&
      `${counted(certificates.total, "certificate expires", "certificates expire")} within a month`,
  ].filter(Boolean);
  return parts.length === 0 ? "Nothing is due" : parts.join(", ");
}
