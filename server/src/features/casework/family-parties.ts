// In family cases everybody comes to a first meeting of their own, and only people do.
import type { CaseDomain } from "@app/shared/case-transitions";
import { badField } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { getClient } from "../clients/clients.service.ts";

/** BAD_REQUEST at this field where an organisation would be a party of a family case, which it would keep from mediation. */
export async function assertPeople(
  scope: Scope,
  { domain }: { domain: CaseDomain },
  { clientIds, field }: { clientIds: readonly string[]; field: string },
): Promise<void> {
  if (domain !== "family") return;
  for (const clientId of clientIds) {
    const { kind, organisation } = await getClient(scope, clientId);
    if (kind === "organisation")
      throw badField(
        field,
        `${organisation} is an organisation, and only people are parties of a family case. Choose the person who takes part for it.`,
      );
  }
}
