// What may be said of a thing outside the mediation: one set of marks for topics, proposals and files.

export const PRIVILEGES = ["open", "without_prejudice", "confidential", "none"] as const;
export type Privilege = (typeof PRIVILEGES)[number];

export const PRIVILEGE_NAMES = {
  open: "Open",
  without_prejudice: "Without prejudice",
  confidential: "Confidential",
  none: "Not marked",
} as const satisfies Record<Privilege, string>;

export const PRIVILEGE_MEANINGS = {
  open: "the parties may show it to a court; from here it goes there only by consent or order",
  without_prejudice: "not for a court, nor for anyone outside the case",
  confidential: "for nobody outside the case",
  none: "for nobody outside the case, until consent or an order is recorded",
} as const satisfies Record<Privilege, string>;

/** What somebody offers is without prejudice, always. */
export const PROPOSAL_PRIVILEGE = "without_prejudice" satisfies Privilege;

/** Financial disclosure is open, whatever else a file is marked as. */
export const FINANCIAL_PRIVILEGE = "open" satisfies Privilege;

const STRICTNESS = { open: 0, none: 0, without_prejudice: 1, confidential: 2 } as const satisfies Record<
  Privilege,
  number
>;

/** Whether what was marked so may be told to more than before. */
export const isWeaker = (after: Privilege, before: Privilege): boolean => STRICTNESS[after] < STRICTNESS[before];

export const ONLY_THEY_WEAKEN =
  "Only the owner of the practice or a mediator of this case makes this mark less strict.";

/** Whether this mark itself says that it is for parties and their representatives alone, wherever it is kept. */
export const staysInCase = (privilege: Privilege): boolean =>
  privilege === "without_prejudice" || privilege === "confidential";

/**
 * Whether a file goes to nobody but parties and their representatives, unless all consent, a court orders it or a law requires it: every
 * file of a case does, whatever it is marked as.
 */
export const isKeptInside = ({ caseId, mark }: { caseId: string | null; mark: { privilege: Privilege } }): boolean =>
  caseId !== null || staysInCase(mark.privilege);
