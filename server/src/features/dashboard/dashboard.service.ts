import { can } from "@app/shared/access";
import { type Dashboard, DASHBOARD_ROWS, EXPIRING_WITHIN_DAYS } from "@app/shared/dashboard";
import type { Scope } from "../../core/trpc.ts";
import { getBoard } from "../cases/board.service.ts";
import { listExpiring } from "../certificates/certificates.service.ts";
import { countNewLeads } from "../leads/leads.service.ts";
import { practiceToday } from "../practices/practices.service.ts";
import { countUnsent } from "../outbox/outbox.service.ts";
import { meetingsOfDay } from "../meetings/calendar.service.ts";
import { countOverdue, listTasks } from "../tasks/tasks.service.ts";

/** What somebody needs to know who starts their day. */
export async function getDashboard(scope: Scope): Promise<Dashboard> {
  const day = await practiceToday(scope.ownerId);
  const [board, meetings, tasks, overdueTasks, certificates, unsentMails, newLeads] = await Promise.all([
    getBoard(scope),
    meetingsOfDay(scope, { day, limit: DASHBOARD_ROWS }),
    listTasks(scope, { page: 1, search: "", isOpen: true, assignee: "anyone", due: "week" }),
    countOverdue(scope),
    listExpiring(scope, { withinDays: EXPIRING_WITHIN_DAYS, limit: DASHBOARD_ROWS }),
    can(scope, "mail.read") ? countUnsent(scope) : null,
    can(scope, "leads.manage") ? countNewLeads(scope) : null,
  ]);
  return {
    board,
    meetings,
    tasks: { total: tasks.total, items: tasks.items.slice(0, DASHBOARD_ROWS) },
    overdueTasks,
    certificates,
    unsentMails,
    newLeads,
  };
}
