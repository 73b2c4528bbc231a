// What became of the enquiries of a time, by where they came from: counted from what is recorded of their cases, and of
// both parties, because a case with one is no mediation.
import mongoose from "mongoose";
import type { z } from "zod";
import { isAgreement } from "@app/shared/case-outcomes";
import { type Case, REFERRAL_SOURCES } from "@app/shared/cases";
import { addDays } from "@app/shared/days";
import type { Funnel, LeadReport, leadReportInputSchema } from "@app/shared/lead-report";
import { LOST_REASONS } from "@app/shared/lead-states";
import { instantOf } from "@app/shared/wall-time";
import type { Scope } from "../../core/trpc.ts";
import { findVisibleCases } from "../cases/cases.service.ts";
import { practiceTimeZone } from "../practices/practices.service.ts";
import { casesWithSessions } from "../sessions/session-facts.service.ts";
import { type LeadDoc, LeadModel, NO_SPAM } from "./leads.model.ts";

const COUNTED_MAX = 10_000;
const CASES_AT_ONCE = 200;
const FIELDS = { source: 1, firstRespondedAt: 1, converted: 1, status: 1, lostReason: 1 } as const;
type Counted = Pick<LeadDoc, keyof typeof FIELDS>;

export async function leadReport(
  scope: Scope,
  { from, until }: z.output<typeof leadReportInputSchema>,
): Promise<LeadReport> {
  const { ownerId } = scope;
  const timeZone = await practiceTimeZone(ownerId);
  const midnight = (day: string) => instantOf(timeZone, { day, time: "00:00" });
  const during = mongoose.trusted({ $gte: midnight(from), $lt: midnight(addDays(until, 1)) });
  const leads: Counted[] = await LeadModel.find({ ownerId, createdAt: during, ...NO_SPAM }, FIELDS)
    .sort({ createdAt: 1 })
    .limit(COUNTED_MAX + 1)
    .lean();
  const counted = leads.slice(0, COUNTED_MAX);
  const facts = await factsOf(
    scope,
    counted.flatMap(({ converted }) => converted?.caseId ?? []),
  );
  const rows = REFERRAL_SOURCES.map((source) => ({
    source,
    ...funnelOf(
      counted.filter((lead) => lead.source === source),
      facts,
    ),
  })).filter(({ enquiries }) => enquiries > 0);
  return {
    rows,
    total: funnelOf(counted, facts),
    lostReasons: lostReasonsOf(counted),
    isCut: leads.length > COUNTED_MAX,
  };
}

const isLost = ({ status }: Counted): boolean => status === "lost";

const lostReasonsOf = (leads: readonly Counted[]): LeadReport["lostReasons"] =>
  LOST_REASONS.map((reason) => ({
    reason,
    count: leads.filter((lead) => isLost(lead) && lead.lostReason === reason).length,
  }))
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => other.count - one.count);

type CaseFact = "firstParty" | "secondParty" | "mediating" | "agreed";
type Facts = Map<string, ReadonlySet<CaseFact>>;

async function factsOf(scope: Scope, caseIds: string[]): Promise<Facts> {
  const facts: Facts = new Map();
  for (let start = 0; start < caseIds.length; start += CASES_AT_ONCE) {
    const ids = caseIds.slice(start, start + CASES_AT_ONCE);
    const cases = await findVisibleCases(scope, ids);
    const mediated = await casesWithSessions(scope, ids);
    for (const theCase of cases) facts.set(theCase.id, new Set(factsIn(theCase, mediated)));
  }
  return facts;
}

/** A first meeting counts for whoever came to it, on the day that is recorded. */
function* factsIn({ id, parties, outcome }: Case, mediated: ReadonlySet<string>): Generator<CaseFact> {
  const [first, ...others] = parties;
  if (first?.miamOn) yield "firstParty";
  if (others.some(({ miamOn }) => miamOn !== "")) yield "secondParty";
  if (mediated.has(id)) yield "mediating";
  if (outcome && isAgreement(outcome.code)) yield "agreed";
}

function funnelOf(leads: readonly Counted[], facts: Facts): Funnel {
  const having = (fact: CaseFact) =>
    leads.filter(({ converted }) => converted && facts.get(converted.caseId)?.has(fact)).length;
  return {
    enquiries: leads.length,
    contacted: leads.filter(({ firstRespondedAt }) => firstRespondedAt !== null).length,
    converted: leads.filter(({ converted }) => converted !== null).length,
    firstParty: having("firstParty"),
    secondParty: having("secondParty"),
    mediating: having("mediating"),
    agreed: having("agreed"),
    lost: leads.filter(isLost).length,
  };
}
