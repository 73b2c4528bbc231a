// Whether what a certificate says is in doubt, for whoever is about to give it to a court.
import type { Scope } from "../../core/trpc.ts";
import { openTitles } from "../tasks/asked-tasks.service.ts";
import { doubtsAbout } from "./certificate-tasks.ts";

/** Those of these certificates of a case at which somebody is asked to look again, and has not yet. */
export async function askedToLookAt(
  { ownerId }: Pick<Scope, "ownerId">,
  caseId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const asked = new Set<string>();
  for (const id of ids)
    if ((await openTitles({ ownerId, caseId, abouts: doubtsAbout({ _id: id }) })).length > 0) asked.add(id);
  return asked;
}
