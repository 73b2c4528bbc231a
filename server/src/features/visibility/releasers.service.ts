import { answersFor, ONLY_THEY_RELEASE } from "@app/shared/team-access";
import { forbidden } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";

/** Who records that somebody consents is who heard it: throws FORBIDDEN for everybody who does not answer for the case. */
export function assertAnswers(scope: Scope, { mediators }: { mediators: readonly { userId: string }[] }): void {
  if (!answersFor(scope, mediators)) throw forbidden(ONLY_THEY_RELEASE);
}
