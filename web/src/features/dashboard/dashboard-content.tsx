import { can } from "@app/shared/access";
import type { Dashboard } from "@app/shared/dashboard";
import { useCurrentUser } from "../../core/session.ts";
import { TextLink } from "../../ui/links.tsx";
import { Section } from "../../ui/section.tsx";
import { TaskList } from "../tasks/task-list.tsx";
import { CaseBoard } from "./case-board.tsx";
import { ExpiringCertificates } from "./expiring-certificates.tsx";
import { OverdueInvoices } from "./overdue-invoices.tsx";
import { TodayMeetings } from "./today-meetings.tsx";
import { later } from "../../ui/later.tsx";

const FirstSteps = later(async () => (await import("./first-steps.tsx")).FirstSteps);

/** What there is to know today, and where each case stands. */
export function DashboardContent({ data }: { data: Dashboard }) {
  const user = useCurrentUser();
  const mayChange = can(user, "clients.write");
  return (
    <>
      <div className="dashboard-day">
        <TodayMeetings meetings={data.meetings} />
        <Section
          title="Tasks due"
          count={data.tasks.total || undefined}
          action={<TextLink to="/tasks">All tasks</TextLink>}
        >
          {data.tasks.items.length === 0 ? (
            <p className="dashboard-nothing">Nothing is due this week.</p>
          ) : (
            <TaskList tasks={data.tasks.items} mayChange={mayChange} />
          )}
        </Section>
      </div>
      {data.board.total === 0 ? <FirstSteps /> : <CaseBoard board={data.board} />}
      <div className="dashboard-row">
        <ExpiringCertificates certificates={data.certificates} />
        {data.unsentMails !== null && (
          <Section title="Messages" count={data.unsentMails || undefined}>
            <p className="dashboard-nothing">
              {data.unsentMails === 0 ? (
                "All messages have been sent."
              ) : (
                <TextLink to="/email-settings" search={{ tab: "unsent" }} inherit>
                  {data.unsentMails === 1
                    ? "1 message is not sent yet"
                    : `${data.unsentMails} messages are not sent yet`}
                </TextLink>
              )}
            </p>
          </Section>
        )}
        {data.newLeads !== null && (
          <Section
            title="New leads"
            count={data.newLeads || undefined}
            action={<TextLink to="/leads">All leads</TextLink>}
          >
            <p className="dashboard-nothing">
              {data.newLeads === 0 ? "All leads have been answered." : "Nobody has answered them yet."}
            </p>
          </Section>
        )}
        {can(user, "payments.read") && can(user, "clients.read") && <OverdueInvoices />}
      </div>
    </>
  );
}
