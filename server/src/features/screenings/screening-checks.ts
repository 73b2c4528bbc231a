// What is asked of a screening before it is kept.
import { hasWord } from "@app/shared/has-word";
import { toolFor } from "@app/shared/screening-tools";
import type { CompleteScreening } from "@app/shared/screenings";
import { badField, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { assertAlive } from "../cases/case-days.service.ts";
import type { CaseDoc, PartyDoc } from "../cases/case-parties.service.ts";
import { getClient } from "../clients/clients.service.ts";
import { joinedBlockers } from "../conflicts/conflict-gates.service.ts";
import { assertNotLater } from "../practices/past-days.service.ts";

/** In the transaction that keeps it: throws where this party cannot have been asked so, on that day. */
export async function assertAskable(
  scope: Scope,
  { theCase, party }: { theCase: CaseDoc; party: PartyDoc },
  input: CompleteScreening,
): Promise<void> {
  await assertAlive(scope, party, "heldOn", input.heldOn);
  const blockers = await joinedBlockers(scope, theCase, party);
  if (blockers.length > 0) throw wrongState(blockers.join(" "));
  await assertSpokenWith(scope, party.clientId, input);
  if (toolFor(theCase.domain).version !== input.toolVersion)
    throw badField(
      "toolVersion",
      "The kind of this case or its questions changed meanwhile. Close this and begin again.",
    );
}

/** BAD_REQUEST where nobody knows which person of an organisation was asked: only people are safe or not. */
async function assertSpokenWith(scope: Scope, clientId: string, { spokenWith }: CompleteScreening): Promise<void> {
  const { kind } = await getClient(scope, clientId);
  if (kind === "organisation" && !hasWord(spokenWith ?? ""))
    throw badField("spokenWith", "Name the person who takes part for them, whom you spoke with.");
}

export async function assertDaysOf(
  scope: Scope,
  { heldOn, consulted, score, referral }: Pick<CompleteScreening, "heldOn" | "consulted" | "score" | "referral">,
): Promise<void> {
  await assertNotLater(scope, "heldOn", heldOn);
  await assertNotLater(scope, "consulted.on", consulted.on);
  await assertNotLater(scope, "score.on", score?.on ?? "");
  await assertNotLater(scope, "referral.on", referral?.on ?? "");
}
