// Two who disclose their finances in one case, as the page would send it.
import { newId } from "@app/server/core/ids";
import type { Answers } from "@app/shared/form-answers";
import type { Sensitivity } from "@app/shared/form-limits";
import { FINANCIAL_DISCLOSURE } from "@app/shared/form-templates/financial-disclosure";
import type { Finances, GivenFigure } from "@app/shared/finances";
import type { TestPractice } from "../server/people.ts";
import { aFormLink, aPublishedForm, aSubmission } from "../server/submissions.ts";

export const TODAY = () => new Date().toISOString().slice(0, 10);

export const aFigure = (overrides: Partial<GivenFigure> = {}): GivenFigure => ({
  category: "accounts",
  label: "Calder Bank",
  amountMinor: 120_000,
  owner: "own",
  asOf: "2026-11-03",
  evidenceFileId: null,
  ...overrides,
});

export const enter = (
  { api }: Pick<TestPractice, "api">,
  caseId: string,
  partyId: string,
  overrides: Partial<GivenFigure> = {},
) => api.finances.addFigure.mutate({ id: newId(), caseId, partyId, figure: aFigure(overrides) });

export const financesOf = ({ api }: Pick<TestPractice, "api">, caseId: string): Promise<Finances> =>
  api.finances.get.query({ caseId });

/** The questionnaire that comes with the product, published; the answers about debts are for these. */
export function aDisclosureForm(practice: TestPractice, debtsFor: Sensitivity | null = null) {
  const { content, name } = FINANCIAL_DISCLOSURE;
  const pages = content.pages.map((page) => ({
    ...page,
    fields: page.fields.map((field) => (field.id === "debts" ? { ...field, sensitivity: debtsFor } : field)),
  }));
  return aPublishedForm(practice, { ...content, pages, currency: "GBP" }, { name, kind: "disclosure" });
}

/** What this client sent in. */
export async function answersOf(
  practice: TestPractice,
  { formId, clientId, caseId }: { formId: string; clientId: string; caseId: string },
  answers: Answers,
): Promise<string> {
  const link = await aFormLink(practice, { formId, clientId, caseId });
  return aSubmission(practice.ownerId, { link: link.id, answers });
}

/** Each says that this is all, on this day. */
export async function bothComplete(
  { api }: Pick<TestPractice, "api">,
  caseId: string,
  on = TODAY(),
): Promise<Finances> {
  let finances = await api.finances.get.query({ caseId });
  for (const { partyId } of finances.parties)
    finances = await api.finances.setComplete.mutate({ caseId, version: finances.version, partyId, on });
  return finances;
}

export async function exchange(practice: Pick<TestPractice, "api">, caseId: string, on = TODAY()): Promise<Finances> {
  const { version, parties } = await bothComplete(practice, caseId, on);
  const consents = parties.map(({ partyId }) => ({ partyId, on, how: "In the session" }));
  return practice.api.finances.exchange.mutate({ caseId, version, consents });
}
