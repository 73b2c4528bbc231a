import type { Case, Party } from "@app/shared/cases";
import { ANSWERED_SESSION_STATUSES, CLOSED_SESSION_STATUSES, wasThere } from "@app/shared/session-states";
import type { Session } from "@app/shared/sessions";
import { createContext, useContext } from "react";
import type { ChangeSession } from "./use-session-changes.ts";
import type { SessionDialog } from "./session-search.ts";

interface Cockpit {
  /** As it is stored, with what was done here and is still on its way. */
  session: Session;
  theCase: Case;
  change: ChangeSession;
  /** This person may change it, and it is neither locked nor cancelled. */
  isOpen: boolean;
  mayWrite: boolean;
  show: (dialog: SessionDialog | null) => void;
}

export const CockpitContext = createContext<Cockpit | null>(null);

export function useCockpit(): Cockpit {
  const cockpit = useContext(CockpitContext);
  if (!cockpit) throw new Error("There is no session here");
  return cockpit;
}

export const isSessionOpen = ({ status }: Pick<Session, "status">): boolean =>
  !CLOSED_SESSION_STATUSES.includes(status);

/** Whether this person may note of somebody whether it is safe: also of a locked one, for whoever is found to have come. */
export const mayReview = ({ session, isOpen, mayWrite }: Pick<Cockpit, "session" | "isOpen" | "mayWrite">): boolean =>
  session.safetyReviews !== null && (isOpen || (mayWrite && session.status === "locked"));

/** Whether this person may record what became of an offer: also after its session was locked. */
export const mayAnswer = ({ session, mayWrite }: Pick<Cockpit, "session" | "mayWrite">): boolean =>
  mayWrite && ANSWERED_SESSION_STATUSES.includes(session.status);

/** Whether it was started, and nobody was at it and nothing was written in it, as far as this screen shows. */
export const hasNothing = ({ status, attendance, proposals, nextSteps, outcome }: Session): boolean =>
  (status === "in_progress" || status === "ended") &&
  !attendance.some(wasThere) &&
  proposals.length + nextSteps.length === 0 &&
  !outcome?.text;

export const partyOf = (theCase: Case, partyId: string | null): Party | undefined =>
  theCase.parties.find((party) => party.partyId === partyId);
