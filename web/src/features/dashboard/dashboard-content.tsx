import { can } from "@app/shared/access";
import type { Dashboard } from "@app/shared/dashboard";
import { useCurrentUser } from "../../core/session.ts";
import { Section } from "../../ui/section.tsx";
import { TaskList } from "../tasks/task-list.tsx";
import { CaseBoard } from "./case-board.tsx";
import { ExpiringCertificates } from "./expiring-certificates.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { TodayMeetings } from "./today-meetings.tsx";

/** What there is to know today, and where each case stands. */
export function DashboardContent({ data }: { data: Dashboard }) {
  const user = useCurrentUser();
  const mayChange = can(user, "clients.write");
  return (
    <>
      <div className="dashboard-day">
        <TodayMeetings meetings={data.meetings} />
        <Section title="Tasks due" count={data.tasks.total || undefined}>
          {data.tasks.items.length === 0 ? (
            <p className="dashboard-nothing">Nothing is due this week.</p>
          ) : (
            <TaskList tasks={data.tasks.items} mayChange={mayChange} />
          )}
        </Section>
      </div>
      {data.board.total === 0 ? <FirstSteps mayAdd={mayChange} /> : <CaseBoard board={data.board} />}
      <div className="dashboard-row">
        <ExpiringCertificates certificates={data.certificates} />
        {data.unsentMails !== null && (
          <Section title="Messages" count={data.unsentMails || undefined}>
            <p className="dashboard-nothing">
              {data.unsentMails === 0
                ? "Every message left."
                : `${data.unsentMails === 1 ? "1 message waits" : `${data.unsentMails} messages wait`} to be sent.`}
            </p>
          </Section>
        )}
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
