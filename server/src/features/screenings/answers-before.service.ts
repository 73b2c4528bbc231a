/** By which the task to read what somebody answered before they are screened is found again: it ends with the screening. */
export const answersOf = ({ clientId, caseId }: { clientId: string; caseId: string | null }): string =>
  `safety answers of ${clientId} in ${caseId ?? "no case"}`;
