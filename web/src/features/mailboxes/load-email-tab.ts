import { apiUtils } from "../../core/api.ts";
import type { EmailTab } from "../../core/search.ts";
import { mayNow } from "../../core/session-state.ts";

interface Place {
  tab: EmailTab | undefined;
  page: number;
  mailing: string | undefined;
}

/** What the tab of the page Email shows that is open, for those who may open it. */
export function loadEmailTab({ tab, page, mailing }: Place): Promise<unknown> {
  if (tab === "templates" && mayNow("mail.send")) return apiUtils.mailTemplates.list.ensureData();
  if (tab === "mailings" && !mailing && mayNow("mail.send")) return apiUtils.mailings.list.ensureData({ page });
  return Promise.resolve();
}
