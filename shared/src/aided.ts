// Whom the Legal Aid Agency pays for. Free of zod.

/** Whether legal aid pays for somebody who mediated: nothing is claimed for whoever came to no session of two sides. */
export const isAided = (
  parties: readonly { partyId: string; funding: { type: string } }[],
  mediatedIds: readonly string[],
): boolean => parties.some(({ partyId, funding }) => funding.type === "legal_aid" && mediatedIds.includes(partyId));
