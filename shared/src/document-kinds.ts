// What kinds of documents a practice writes, and how each is marked: whoever reads one must not have to guess.
import type { CaseDomain } from "./case-transitions.ts";
import type { DocumentKind } from "./document-kind-list.ts";
import type { Privilege } from "./privileges.ts";

export const DOCUMENT_KIND_NAMES = {
  agreement_to_mediate: "Agreement to mediate",
  invitation: "Invitation",
  no_response: "No-response letter",
  session_summary: "Session summary",
  mou: "Memorandum of understanding",
  ofs: "Open financial statement",
  parenting_plan: "Parenting plan",
  fee_letter: "Fee letter",
  letter: "Letter",
  certificate: "Certificate",
} as const satisfies Record<DocumentKind, string>;

/** Whom a document is for: one participant, all of them together, or nobody outside the practice. */
export const ADDRESSEE_KINDS = ["party", "joint", "practice"] as const;
export type AddresseeKind = (typeof ADDRESSEE_KINDS)[number];

interface Rules {
  /** The first is the usual one; where there is no other, it is so always. */
  privileges: readonly [Privilege, ...Privilege[]];
  addressees: readonly AddresseeKind[];
  /** Its figures are what the parties disclosed. */
  isFinancial: boolean;
}

const ANYBODY: readonly AddresseeKind[] = ["party", "joint", "practice"];

/** What is proposed is without prejudice, and what was disclosed is open, whatever anybody chooses. */
export const DOCUMENT_RULES: Record<DocumentKind, Rules> = {
  agreement_to_mediate: { privileges: ["none", "open"], addressees: ["joint", "party"], isFinancial: false },
  invitation: { privileges: ["none", "confidential"], addressees: ["party"], isFinancial: false },
  no_response: { privileges: ["none", "confidential"], addressees: ["party"], isFinancial: false },
  session_summary: { privileges: ["without_prejudice"], addressees: ["joint", "practice"], isFinancial: false },
  mou: { privileges: ["without_prejudice"], addressees: ["joint", "practice"], isFinancial: false },
  ofs: { privileges: ["open"], addressees: ["joint", "practice"], isFinancial: true },
  parenting_plan: { privileges: ["without_prejudice", "open"], addressees: ["joint", "practice"], isFinancial: false },
  fee_letter: { privileges: ["none", "confidential"], addressees: ["party"], isFinancial: false },
  letter: {
    privileges: ["none", "confidential", "without_prejudice", "open"],
    addressees: ANYBODY,
    isFinancial: false,
  },
  // Issued from what is recorded, and never written by hand.
  certificate: { privileges: ["open"], addressees: [], isFinancial: false },
};

/** Whether people write documents of this kind; of the others there is one template, and the product uses it. */
export const isWritten = (kind: DocumentKind): boolean => DOCUMENT_RULES[kind].addressees.length > 0;

export const usualPrivilege = (kind: DocumentKind): Privilege => DOCUMENT_RULES[kind].privileges[0];

export const mayBeMarked = (kind: DocumentKind, privilege: Privilege): boolean =>
  DOCUMENT_RULES[kind].privileges.includes(privilege);

/** What stands over a document, on the screen and on each page of it; null where nothing has to. */
export const PRIVILEGE_BANNERS = {
  open: { mark: "OPEN", rule: "May be shown to a court. Only facts that were disclosed belong here, no proposals." },
  without_prejudice: {
    mark: "WITHOUT PREJUDICE",
    rule: "May be read by the participants and their lawyers. May not be shown to a court. Watermark and footer are always on.",
  },
  confidential: { mark: "CONFIDENTIAL", rule: "Only the people named may read it." },
  none: null,
} as const satisfies Record<Privilege, { mark: string; rule: string } | null>;

/** At the foot of each page. */
export const PRIVILEGE_FOOTERS = {
  open: "Open: this may be shown to a court.",
  without_prejudice:
    "Without prejudice: for the participants and their lawyers, not for a court. Nothing here is binding.",
  confidential: "Confidential: only for the people named in it.",
  none: "",
} as const satisfies Record<Privilege, string>;

/** Behind the words of each page. */
export const PRIVILEGE_WATERMARKS = {
  open: null,
  without_prejudice: "WITHOUT PREJUDICE",
  confidential: "CONFIDENTIAL",
  none: null,
} as const satisfies Record<Privilege, string | null>;

/** Kinds that only some cases have, such as a plan for children. */
export const FAMILY_KINDS: readonly DocumentKind[] = ["ofs", "parenting_plan"];
export const isKindOf = (kind: DocumentKind, domain: CaseDomain): boolean =>
  domain === "family" || !FAMILY_KINDS.includes(kind);
