import { can } from "@app/shared/access";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { useFormats } from "../../core/format.ts";
import { useCurrentUser } from "../../core/session.ts";
import { useTitle } from "../../core/title.ts";
import { LinkButton } from "../../ui/links.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { Section } from "../../ui/section.tsx";
import { RecentClients } from "./recent-clients.tsx";
import "./dashboard-page.css";

const RECENT = { sort: "updatedAt", isDescending: true } as const;

/** The day in one look. What the practice does not keep yet says so in its place. */
export function DashboardPage() {
  useTitle("Dashboard");
  const user = useCurrentUser();
  const formats = useFormats();
  const mayRead = can(user, "clients.read");
  const mayAdd = can(user, "clients.write");
  const clients = api.clients.list.useQuery(RECENT, { enabled: mayRead });
  const [now] = useState(() => new Date());
  const day = formats.longDay(now);
  const add = mayAdd && clients.data?.total !== 0 && (
    <LinkButton to="/clients/create" leftSection={<IconPlus size={14} stroke={1.7} aria-hidden />}>
      Add client
    </LinkButton>
  );
  return (
    <>
      <PageHead
        title={day}
        meta={`${greeting(user.firstName, user.timeZone, now)}. ${countOf(clients.data)}`}
        actions={add}
        isTitleKeptOnPhone
      />
      <div className="dashboard-day">
        <Nothing title="Today" text="No meetings: this version does not book them yet." />
        <Nothing title="Tasks due" text="No tasks: they will come from cases." />
      </div>
      {mayRead && <RecentClients query={clients} mayAdd={mayAdd} />}
      <div className="dashboard-row">
        <Nothing title="Certificates about to expire" text="None: certificates will come from assessment meetings." />
        {can(user, "leads.manage") && <Nothing title="New leads" text="None: enquiry forms will bring them." />}
        {can(user, "payments.read") && <Nothing title="Money due" text="Nothing: no payments are taken here yet." />}
      </div>
    </>
  );
}

function Nothing({ title, text }: { title: string; text: string }) {
  return (
    <Section title={title}>
      <p className="dashboard-nothing">{text}</p>
    </Section>
  );
}

function greeting(firstName: string, timeZone: string, now: Date): string {
  const hour = Number(new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", hourCycle: "h23" }).format(now));
  if (hour < 12) return `Good morning, ${firstName}`;
  return hour < 18 ? `Good afternoon, ${firstName}` : `Good evening, ${firstName}`;
}

function countOf(page: { total: number; isTotalExact: boolean } | undefined): string {
  if (!page) return "";
  if (page.total === 0) return "No clients yet.";
  return page.total === 1 ? "1 client." : `${page.total}${page.isTotalExact ? "" : "+"} clients.`;
}
