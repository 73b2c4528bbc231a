import { AmendDialog } from "./amend-dialog.tsx";
import { hasNothing, mayReview, useCockpit } from "./cockpit-context.ts";
import { EndDialog } from "./end-dialog.tsx";
import { LockDialog } from "./lock-dialog.tsx";
import { MistakeDialog } from "./mistake-dialog.tsx";
import { PartiesSeeDialog } from "./parties-see-dialog.tsx";
import { SafetyDialog } from "./safety-dialog.tsx";
import { TimeDialog } from "./time-dialog.tsx";
import { StrikeDialog } from "./strike-dialog.tsx";
import type { SessionDialog } from "./session-search.ts";

/** The dialog that the address names, where the session's state allows it. */
export function CockpitDialogs({ dialog }: { dialog: SessionDialog | undefined }) {
  const cockpit = useCockpit();
  const { session, isOpen, mayWrite } = cockpit;
  if (dialog === "parties") return <PartiesSeeDialog />;
  if (dialog === "end" && isOpen && session.status === "in_progress") return <EndDialog />;
  if (dialog === "lock" && isOpen && session.status === "ended") return <LockDialog />;
  if (dialog === "safety" && mayReview(cockpit)) return <SafetyDialog onClose={() => cockpit.show(null)} />;
  if (dialog === "time" && isOpen && session.status !== "in_progress") return <TimeDialog />;
  if (dialog === "amend" && mayWrite && session.status === "locked") return <AmendDialog />;
  if (dialog === "strike" && mayWrite && session.status === "locked") return <StrikeDialog />;
  if (dialog === "mistake" && isOpen && hasNothing(session)) return <MistakeDialog />;
  return null;
}
