import { can } from "@app/shared/access";
import { api } from "../../core/api.ts";
import { useCurrentUser } from "../../core/session.ts";

/** How many answers to each of these forms nobody has looked at yet; null for whoever may not read answers. */
export function useNewAnswers(formIds: readonly string[]): ReadonlyMap<string, number> | null {
  const mayRead = can(useCurrentUser(), "clients.read");
  const asked = { formIds: [...formIds] };
  const { data } = api.submissions.countNew.useQuery(asked, { enabled: mayRead && formIds.length > 0, staleTime: 0 });
  return mayRead ? new Map(data?.items.map(({ formId, count, suspect }) => [formId, count + suspect])) : null;
}

export const newAnswersWords = (count: number | undefined): string => (count ? `${count} new` : "");
