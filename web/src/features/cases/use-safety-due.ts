import { entriesWait } from "@app/shared/case-steps";
import { api } from "../../core/api.ts";

/** What is due for somebody's safety in a case, each in a sentence, as far as this person may read why. */
export function useSafetyDue(caseId: string): string[] {
  const { data } = api.casework.safetyDue.useQuery({ id: caseId });
  return data ? [...data.again, ...(data.openEntries ? [entriesWait(data.openEntries)] : [])] : [];
}
