// What is said in a caucus, with whatever readers somebody wishes it.
import { newId } from "@app/server/core/ids";
import type { Scope } from "@app/server/core/trpc";
import { createNote } from "@app/server/features/notes/notes.service";
import { addProposal } from "@app/server/features/sessions/session-proposals.service";
import type { Case } from "@app/shared/cases";
import { createNoteSchema } from "@app/shared/notes";
import { richTextOf } from "@app/shared/rich-text";
import { addProposalSchema } from "@app/shared/sessions";
import type { Visibility } from "@app/shared/visibility";
import type { Secret } from "./random-case.ts";

export const isOfCaucus = ({ kind }: Secret) => kind === "caucusNote" || kind === "caucusProposal";

/** Whatever readers somebody wishes it: no party reads it. */
export function asCaucus({ visibility }: Secret, about: string): Pick<Secret, "visibility" | "readers"> {
  const scope = visibility.scope === "mediator" ? ("mediator" as const) : ("staff" as const);
  return { visibility: { scope, partyIds: [], aboutPartyIds: [about] }, readers: new Set() };
}

/** Through the schema, which refuses the readers whom a caucus must not have. */
export async function storeCaucus(
  scope: Scope,
  { theCase, sessionId, secret, asked }: { theCase: Case; sessionId: string; secret: Secret; asked: Visibility },
): Promise<string> {
  const { canary, kind } = secret;
  const note = {
    kind: "caucus",
    visibility: asked,
    body: richTextOf(canary),
    caseId: theCase.id,
    clientId: null,
  };
  const proposal = {
    id: sessionId,
    proposalId: newId(),
    issue: "Home",
    text: canary,
    byPartyId: asked.aboutPartyIds[0] ?? theCase.parties[0]?.partyId ?? "",
    visibility: asked,
    countersId: null,
    release: null,
  };
  const [entered, offered] = [createNoteSchema.safeParse(note), addProposalSchema.safeParse(proposal)];
  if (!(kind === "caucusNote" ? entered : offered).success) return NOT_ENTERED;
  if (kind === "caucusNote" && entered.success) await createNote(scope, entered.data);
  if (kind === "caucusProposal" && offered.success) await addProposal(scope, offered.data);
  return "";
}

/** Of what no form lets through: nothing of it is stored. */
export const NOT_ENTERED = "not entered";
