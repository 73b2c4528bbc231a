// What invoices ask of the feature that takes payments: it stands above this one, and says so here.

interface Outside {
  /** Less is due than was: nobody pays on a page for more. */
  dueFell: (ownerId: string, invoiceId: string) => Promise<void>;
  /** Of which invoices money is on its way. */
  onItsWay: (ownerId: string) => Promise<string[]>;
}

let outside: Outside | undefined;

/** Called once. */
export const defineMoneyOutside = (given: Outside): void => void (outside = given);

export const tellDueFell = async (ownerId: string, invoiceId: string): Promise<void> =>
  outside?.dueFell(ownerId, invoiceId);

export const invoicesOnTheirWay = async (ownerId: string): Promise<string[]> =>
  (await outside?.onItsWay(ownerId)) ?? [];
