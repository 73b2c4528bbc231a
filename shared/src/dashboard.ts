import { z } from "zod";
import { boardSchema } from "./board.ts";
import { expiringCertificateSchema } from "./certificates.ts";
import { meetingSchema } from "./meetings.ts";
import { taskSchema } from "./tasks.ts";

/** How many rows each part of the dashboard shows. */
export const DASHBOARD_ROWS = 6;
export const EXPIRING_WITHIN_DAYS = 30;

const partOf = <Item extends z.ZodType>(item: Item) => z.object({ total: z.number().int(), items: z.array(item) });

/** The day in one look; what this person may not open is null. */
export const dashboardSchema = z.object({
  board: boardSchema,
  meetings: partOf(meetingSchema),
  tasks: partOf(taskSchema),
  overdueTasks: z.number().int(),
  certificates: partOf(expiringCertificateSchema),
  /** Mails that wait or did not leave; null for who may not read mail. */
  unsentMails: z.number().int().nullable(),
  /** Leads that nobody has answered yet; null for who may not see leads. */
  newLeads: z.number().int().nullable(),
});
export type Dashboard = z.infer<typeof dashboardSchema>;
