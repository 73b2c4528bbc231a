// The agreement of a random case, and what may not be held in confidence because of it.
import { CaseModel } from "@app/server/features/cases/cases.model";
import { moveParty } from "@app/server/features/casework/case-progress";
import { getCase } from "@app/server/features/cases/cases.service";
import type { Scope } from "@app/server/core/trpc";
import type { Case } from "@app/shared/cases";
import type { Confidences } from "@app/shared/confidences";
import type { FileMark } from "@app/shared/files";
import type { Visibility } from "@app/shared/visibility";
import { NOT_ENTERED } from "./random-caucus.ts";
import { TRPCError } from "@trpc/server";
import { expect } from "vitest";

/** The second party signs, as if they had come so far. */
export async function signs(scope: Scope, { id }: Case, confidences: Confidences): Promise<Case> {
  await CaseModel.updateOne({ _id: id, ownerId: scope.ownerId }, { $set: { "parties.1.status": "suitable" } });
  const { version, parties } = await getCase(scope, id);
  const partyId = parties[1]?.partyId ?? "";
  const step = { id, version, partyId, to: "agreement_signed" as const, on: "2026-01-05", reason: "" };
  return moveParty(scope, { ...step, confidences, isOwnDecision: null, hasAgreed: null });
}

const HELD = ["note", "sessionNote", "proposal", "caucusNote", "caucusProposal", "file"];

interface Held {
  kind: string;
  mark: FileMark;
  visibility: Visibility;
}

/** Whether the agreement forbids this: the second party signed, and it would be in their confidence. */
export function isBound({ confidences, parties }: Case, { kind, mark, visibility }: Held): boolean {
  const second = parties[1];
  const isTheirs = second?.status === "agreement_signed" && visibility.aboutPartyIds.includes(second.partyId);
  if (!isTheirs) return false;
  return HELD.includes(kind) && (confidences === "none" || isFinancialFile({ kind, mark }));
}

const isFinancialFile = ({ kind, mark }: Pick<Held, "kind" | "mark">): boolean => kind === "file" && mark.isFinancial;

/** Refused for the agreement's sake, or as financial disclosure whatever that says, and not for anything else. */
export async function assertRefused(storing: Promise<string>, held: Pick<Held, "kind" | "mark">): Promise<void> {
  const error = await storing.then(
    (made) => (made === NOT_ENTERED ? made : null),
    (thrown: unknown) => thrown,
  );
  if (error === NOT_ENTERED) return;
  if (error !== null && !(error instanceof TRPCError)) throw error;
  expect(error?.message ?? "it was stored").toMatch(
    isFinancialFile(held) ? /nobody’s confidence/ : /keeps no confidences/,
  );
}
