/** What was last said of each party of each case, of what is given the oldest first. */
export const latestOfParties = <Said extends { caseId: string; partyId: string }, Value>(
  said: readonly Said[],
  valueOf: (one: Said) => Value,
): Map<string, Map<string, Value>> =>
  new Map(
    [...Map.groupBy(said, ({ caseId }) => caseId)].map(([caseId, of]) => [
      caseId,
      new Map(of.map((one) => [one.partyId, valueOf(one)])),
    ]),
  );
