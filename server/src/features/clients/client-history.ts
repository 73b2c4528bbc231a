// What is told of changes of a client's record: which part of it, never what it says.
import { isDeepStrictEqual } from "node:util";
import type { Client, CreateClient } from "@app/shared/clients";
import { PRACTICE_ONLY } from "@app/shared/visibility";
import type { Scope } from "../../core/trpc.ts";
import { recordEvents } from "../history/history.service.ts";

const PARTS: Record<string, readonly (keyof CreateClient)[]> = {
  "How they may be reached": ["safeContact"],
  "Contact details": ["email", "phones", "address", "isAddressConfidential"],
  Name: ["kind", "title", "firstName", "lastName", "knownAs", "organisation"],
};

/** In the transaction that changes it; nothing where nothing did. */
export async function recordChange(scope: Scope, before: Client, after: Client): Promise<void> {
  const changed = Object.entries(PARTS).flatMap(([part, keys]) =>
    keys.some((key) => !isDeepStrictEqual(before[key], after[key])) ? [part] : [],
  );
  if (isDeepStrictEqual(entered(before), entered(after))) return;
  const text = `${changed.length > 0 ? changed.join(", ") : "Other details"} changed`;
  await recordLines(scope, [after.id], text);
}

const entered = ({ version: _version, updatedAt: _updatedAt, updatedByName: _updatedByName, ...client }: Client) =>
  client;

/** The same line for each of these clients. */
export async function recordLines(scope: Scope, ids: string[], text: string): Promise<void> {
  if (ids.length === 0) return;
  await recordEvents(
    scope,
    ids.map((id) => ({ kind: "client", text, caseId: null, clientIds: [id], visibility: PRACTICE_ONLY })),
  );
}
