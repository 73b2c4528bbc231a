import { newId } from "@app/server/core/ids";
import type { AddEntry, ReportConcern } from "@app/shared/safeguarding";
import type { Api } from "./people.ts";

/** An entry of the safeguarding record, as the page would send it. */
export const anEntry = (caseId: string, overrides: Partial<AddEntry> = {}): AddEntry & { id: string } => ({
  id: newId(),
  caseId,
  kind: "concern",
  personAtRisk: "Her daughter, 7",
  concern: "Bruises on both arms",
  immediacy: "soon",
  consulted: { isConsulted: true, who: "Ruth Amsel", on: "2026-01-05", whyNot: "" },
  told: [{ agency: "Children’s services", on: "2026-01-05", reference: "CS-1" }],
  whyNobodyTold: "",
  // Whoever is suspected is told nothing.
  clientTold: overrides.kind === "suspicious_activity" ? "deliberately_not" : "told",
  clientWords: "That we have to tell Children’s services",
  ...overrides,
});

/** What somebody tells of who may not read the record. */
export const aReport = (caseId: string, overrides: Partial<ReportConcern> = {}): ReportConcern & { id: string } => ({
  id: newId(),
  caseId,
  personAtRisk: "Her daughter, 7",
  concern: "Bruises on both arms",
  immediacy: "soon",
  ...overrides,
});

/** Another wording of the first one of an entry. */
export function anAmendment(id: string, caseId: string, overrides: Partial<AddEntry> = {}) {
  const { id: _id, caseId: _case, kind: _kind, ...fields } = anEntry(caseId, overrides);
  return { ...fields, changeId: newId(), id, version: 0, why: "They rang back" };
}

/** What is asked of an entry that a finding opened. */
export function aCompletion(id: string, caseId: string, overrides: Partial<AddEntry> = {}) {
  const { why: _why, ...completion } = anAmendment(id, caseId, overrides);
  return completion;
}

/** Of each entry of a case that waits it is said that none is needed. */
export async function dismissEntries({ safeguarding }: Api, caseId: string): Promise<void> {
  const { items } = await safeguarding.list.query({ caseId });
  for (const { id, version, state } of items)
    if (state === "to_complete")
      await safeguarding.dismiss.mutate({ changeId: newId(), id, version, why: "The police know of it" });
}
