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
  open: "may be shown to a court",
  without_prejudice: "not for a court, nor for anyone outside the case",
  confidential: "for nobody outside the case",
  none: "nothing is said about who else may see it",
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

/** Whether it goes to nobody but parties and their representatives, unless all consent or a court orders it. */
export const staysInCase = (privilege: Privilege): boolean =>
  privilege === "without_prejudice" || privilege === "confidential";
