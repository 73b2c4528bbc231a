import type { Child } from "@app/shared/cases";
import { api } from "../../core/api.ts";

/** The children of this case; none while it is read, or where there is no case. */
export function useChildren(caseId: string | null): readonly Child[] {
  const theCase = api.cases.get.useQuery({ id: caseId ?? "" }, { enabled: caseId !== null });
  return theCase.data?.children ?? [];
}
