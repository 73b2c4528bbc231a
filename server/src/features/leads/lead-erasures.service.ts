// What goes with a lead that is deleted: each feature that keeps something of it says so.
type Erase = (ownerId: string, leadId: string) => Promise<void>;
const erasures: Erase[] = [];

/** Called once, beside what keeps something of a lead; it runs in the transaction that deletes the lead. */
export const defineLeadErasure = (erase: Erase): void => void erasures.push(erase);

export async function eraseWithLead(ownerId: string, leadId: string): Promise<void> {
  for (const erase of erasures) await erase(ownerId, leadId);
}
