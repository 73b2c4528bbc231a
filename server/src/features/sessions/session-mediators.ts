// Who held a session: of those whom its meeting or its case names, whoever worked in the practice on that day.
import { dayIn } from "@app/shared/days";
import type { Case } from "@app/shared/cases";
import { answersFor, mayMediate } from "@app/shared/team-access";
import type { Amendment } from "@app/shared/session-amendments";
import { now } from "../../core/clock.ts";
import { badField } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { colleaguesOn } from "../practices/colleagues-then.service.ts";
import { practiceTimeZone } from "../practices/practices.service.ts";
import { colleagueNames, colleagues } from "../users/users.service.ts";
import type { SessionDoc } from "./sessions.model.ts";

const there = async ({ ownerId }: Scope, at: Date) => colleaguesOn(ownerId, dayIn(await practiceTimeZone(ownerId), at));

/** Where all who were to hold it had left by then, it is whoever begins or records it, where they mediate. */
export async function heldBy(scope: Scope, mediatorIds: readonly string[], at: Date): Promise<string[]> {
  return holders(scope, mediatorIds, await there(scope, at));
}

/** The same of one that begins now: whoever left today works there no more. */
export async function holdersNow(scope: Scope, mediatorIds: readonly string[]): Promise<string[]> {
  const people = await colleagues(scope.ownerId);
  return holders(
    scope,
    mediatorIds,
    people.filter(({ isActive }) => isActive),
  );
}

function holders(scope: Scope, mediatorIds: readonly string[], present: readonly { userId: string }[]): string[] {
  const held = mediatorIds.filter((id) => present.some(({ userId }) => userId === id));
  if (held.length > 0) return held;
  return mayMediate(scope.role) ? [scope.userId] : [];
}

export const namesOf = async ({ ownerId }: Pick<Scope, "ownerId">, ids: readonly string[]): Promise<string[]> => {
  const names = await colleagueNames(ownerId);
  return ids.flatMap((id) => names.get(id) ?? []);
};

/**
 * Of one that is locked: gives who was recorded, or null where they were recorded already. Whoever held it may strike it, so
 * that nobody says it of themselves who does not answer for the case.
 */
export async function correctMediators(
  scope: Scope,
  draft: SessionDoc,
  { mediators }: Pick<Case, "mediators">,
  to: readonly string[],
): Promise<Amendment["mediators"]> {
  const before = draft.mediatorIds;
  if (String(before.toSorted()) === String(to.toSorted())) return null;
  const mediating = (await there(scope, draft.startedAt ?? now())).filter(({ role }) => mayMediate(role));
  if (to.some((id) => !before.includes(id) && !mediating.some(({ userId }) => userId === id)))
    throw badField("mediatorIds", "Choose mediators who worked in the practice on the day of this session.");
  const isOther = (id: string) => !before.includes(id) && !mediators.some(({ userId }) => userId === id);
  if (!answersFor(scope, mediators) && to.some(isOther))
    throw badField(
      "mediatorIds",
      "This mediator is none of the case. Ask the owner of the practice or a mediator of the case to say who held this session.",
    );
  draft.mediatorIds = [...to];
  return { from: await namesOf(scope, before), to: await namesOf(scope, to) };
}
