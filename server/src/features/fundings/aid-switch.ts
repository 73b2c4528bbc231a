// Legal aid begins to pay for somebody in the middle of a case: what they were charged is charged no more.
import { coverOf, type Relief, reliefOf, type Whose, whoseInvoice } from "@app/shared/aid-switch";
import { isPaidFor } from "@app/shared/case-outcomes";
import type { Case } from "@app/shared/cases";
import type { aidSwitchSchema, AidPreview, Switched, SwitchToLegalAid } from "@app/shared/fundings";
import { invoiceTotals } from "@app/shared/invoice-totals";
import { moneyText } from "@app/shared/answer-texts";
import { payerKeyOf } from "@app/shared/payer-shares";
import type { z } from "zod";
import { inTransaction } from "../../core/database.ts";
import { badField, notFound, stale, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { getCase } from "../cases/cases.service.ts";
import { setFunding } from "../casework/case-editing.service.ts";
import { type ChargedInvoice, chargedInCase } from "../invoices/case-invoices.service.ts";
import { creditLines } from "../invoices/invoice-issue.service.ts";
import { practiceRegion } from "../practices/practices.service.ts";
import { mediatedSessions } from "../sessions/mediated-sessions.service.ts";
import { sessionsOfCase } from "../sessions/sessions.service.ts";
import { createMissingTasks } from "../tasks/tasks.service.ts";

/** What a line is of, where somebody said so: by the place of the line in its invoice. */
type Said = ReadonlyMap<number, boolean>;
const NOTHING_SAID: Said = new Map();

/** What would be charged no more, for whoever decides on it. */
export async function previewAid(
  scope: Scope,
  { caseId, partyId }: z.output<typeof aidSwitchSchema>,
): Promise<AidPreview> {
  const { theCase, charged, draftCount, firstId } = await lookAt(scope, { caseId, partyId });
  return {
    version: theCase.version,
    draftCount,
    invoices: charged.map(({ invoice, whose }) => ({ ...invoice, lines: coveredLines(invoice, { whose, firstId }) })),
  };
}

/** What somebody but a scheme pays in this case, by whose part it is. Throws where legal aid does not begin for this party. */
async function lookAt(scope: Scope, { caseId, partyId }: z.output<typeof aidSwitchSchema>) {
  const theCase = await getCase(scope, caseId);
  await assertMaySwitch(scope, theCase, partyId);
  const { items, draftCount } = await chargedInCase(scope, caseId);
  const charged = items
    .map((invoice) => ({ invoice, whose: whoseInvoice(invoice.payer, theCase.parties, partyId) }))
    .filter(({ whose }) => whose !== "scheme");
  return { theCase, charged, draftCount, firstId: await firstSessionOf(scope, theCase) };
}

async function assertMaySwitch(scope: Scope, theCase: Case, partyId: string): Promise<void> {
  const party = theCase.parties.find((one) => one.partyId === partyId);
  if (!party) throw notFound("Party");
  if (party.funding.type === "legal_aid") throw wrongState(`Legal aid pays for ${party.label} already.`);
  if (!isPaidFor({ ...theCase, region: await practiceRegion(scope.ownerId) }))
    throw wrongState(
      "The Legal Aid Agency pays only for family mediation in England and Wales about children, property and finance, or both. Correct what the case is about if this is one.",
    );
}

/** The id of the first session in which this case was mediated; null where there was none. */
async function firstSessionOf(scope: Scope, theCase: Case): Promise<string | null> {
  const first = (await mediatedSessions(scope, theCase)).at(-1);
  if (!first) return null;
  const rows = await sessionsOfCase(scope, theCase.id);
  return rows.find(({ number }) => number === first.number)?.id ?? null;
}

interface Place {
  whose: Whose;
  firstId: string | null;
}

const coveredLines = (
  { lines }: ChargedInvoice,
  { whose, firstId }: Place,
  said: Said = NOTHING_SAID,
): AidPreview["invoices"][number]["lines"] =>
  lines.map(({ description, kind, qtyMilli, unitMinor, vatRateBp, sessionId }, at) => {
    const isFirstSession = sessionId === null ? (said.get(at) ?? null) : sessionId === firstId;
    const line = { description, kind, qtyMilli, unitMinor, vatRateBp };
    return { ...line, grossMinor: invoiceTotals([line]).grossMinor, cover: coverOf({ kind, isFirstSession }, whose) };
  });

/** Their funding becomes legal aid, what it pays for is credited, and what was paid of that is kept until it is given back. */
export const switchToLegalAid = (scope: Scope, input: SwitchToLegalAid): Promise<Switched> =>
  inTransaction(async () => {
    const { id: caseId, partyId, version } = input;
    const { theCase, charged, firstId } = await lookAt(scope, { caseId, partyId });
    const looked = new Map(input.invoices.map((invoice) => [invoice.id, invoice]));
    if (
      charged.length !== looked.size ||
      charged.some(({ invoice }) => looked.get(invoice.id)?.version !== invoice.version)
    )
      throw stale("case", "Invoices of this case were changed meanwhile, so nothing was saved. Look at them again.");
    const done: { invoice: ChargedInvoice; relief: Relief }[] = [];
    for (const { invoice, whose } of charged) {
      const said = new Map(looked.get(invoice.id)?.sessions.map(({ at, isFirst }) => [at, isFirst]));
      const lines = coveredLines(invoice, { whose, firstId }, said);
      if (lines.some(({ cover }) => cover === "unsaid"))
        throw badField("invoices", "Say of each session that was charged whether it was the first one.");
      const relief = reliefOf({ ...invoice, lines });
      if (relief.creditMinor === 0) continue;
      await creditLines(scope, {
        id: invoice.id,
        version: invoice.version,
        amountMinor: relief.creditMinor,
        fromPaidMinor: relief.toReturnMinor,
        byRate: relief.byRate,
        // Nobody learns from their own invoice how another is funded.
        reason: whose === "own" ? "Legal aid pays for this" : "This is not charged any more",
      });
      done.push({ invoice, relief });
    }
    await fundByLegalAid(scope, theCase, { partyId, version });
    return askToReturn(scope, caseId, done);
  });

const fundByLegalAid = (scope: Scope, theCase: Case, { partyId, version }: { partyId: string; version: number }) =>
  setFunding(scope, {
    id: theCase.id,
    version,
    parties: theCase.parties.map((party) => ({
      partyId: party.partyId,
      funding: party.partyId === partyId ? { ...party.funding, type: "legal_aid" } : party.funding,
    })),
  });

/** Money goes back by hand, the way it came; until then a task says so. */
async function askToReturn(
  scope: Scope,
  caseId: string,
  done: readonly { invoice: ChargedInvoice; relief: Relief }[],
): Promise<Switched> {
  const byPayer = Map.groupBy(done, ({ invoice }) => `${payerKeyOf(invoice.payer)} ${invoice.currency}`);
  const toReturn = [...byPayer.values()].flatMap((same) => {
    const [first] = same;
    const amountMinor = same.reduce((sum, { relief }) => sum + relief.toReturnMinor, 0);
    if (!first || amountMinor === 0) return [];
    return [{ payerName: first.invoice.payerName, currency: first.invoice.currency, amountMinor }];
  });
  await createMissingTasks(
    scope,
    toReturn.map(({ payerName, currency, amountMinor }) => ({
      title: `Give ${moneyText(amountMinor, currency)} back to ${payerName}`,
      dueOn: null,
      assigneeId: scope.userId,
      caseId,
      clientId: null,
      needs: "payments.read" as const,
    })),
  );
  return { creditedMinor: done.reduce((sum, { relief }) => sum + relief.creditMinor, 0), toReturn };
}
