// What was shared from somebody's confidence and taken away again: a consent from before that is none to share it again.
import type { Visibility } from "@app/shared/visibility";
import { wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";

interface Original {
  caseId: string;
  /** What it was shared from. */
  id: string;
}

type Find = (scope: Scope, original: Original) => Promise<Date[]>;
const finders: Find[] = [];

/** When copies of this kind were taken away; called once, beside the code that makes them. */
export const defineTakenBack = (find: Find): void => void finders.push(find);

interface Copy {
  visibility: Visibility;
  consent: { at: Date } | null;
  createdAt: Date;
  deletedAt: Date | null;
}

/** When this copy was taken away. Of one that fewer read by now nobody knows since when: whoever agreed to it agrees anew. */
export function whenTakenBack({ visibility, consent, createdAt, deletedAt }: Copy): Date[] {
  if (deletedAt) return [deletedAt];
  return consent && visibility.scope !== "shared" ? [createdAt] : [];
}

/** What was shared with a consent and taken away is not brought back: throws PRECONDITION_FAILED, for it takes a new one. */
export function assertNotTakenBack({ consent }: Pick<Copy, "consent">): void {
  if (consent)
    throw wrongState(
      "This was shared with a party’s consent and then taken away, so it does not come back. Release it again, with the party’s consent.",
    );
}

/** When copies of this were taken away, of whatever kind they were. */
export async function takenBackAt(scope: Scope, original: Original): Promise<Date[]> {
  const times: Date[] = [];
  for (const find of finders) times.push(...(await find(scope, original)));
  return times;
}
