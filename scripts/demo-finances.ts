// Two who disclosed their finances to each other: what one left out, what does not fit, and what they agree.
import type { Case } from "@app/shared/cases";
import type { Finances, GivenFigure } from "@app/shared/finances";
import { untoldIn } from "@app/shared/told-parties";
import { inTransaction } from "@app/server/core/database";
import type { Scope } from "@app/server/core/trpc";
import { getCase } from "@app/server/features/cases/cases.service";
import { exchangeFinances } from "@app/server/features/finances/exchange";
import { addFigure } from "@app/server/features/finances/figures.service";
import { getFinances } from "@app/server/features/finances/finances.service";
import { agreeFigure, pairFigures, setComplete, setNone } from "@app/server/features/finances/statement-changes";
import { practiceToday } from "@app/server/features/practices/practices.service";

const CASES = 2;

type Told = Pick<GivenFigure, "category" | "label" | "owner"> & { pounds: number | null; asOf: string };
const figure = (
  category: GivenFigure["category"],
  label: string,
  pounds: number | null,
  { owner = "own", asOf = "" }: Partial<Pick<Told, "owner" | "asOf">> = {},
): Told => ({ category, label, pounds, owner, asOf });

const joint = (asOf: string) => ({ owner: "joint" as const, asOf });

const FIRST = [
  figure("property", "12 Elm Road", 410_000, joint("2026-10-20")),
  figure("debts", "Mortgage on 12 Elm Road", 182_400, joint("2026-10-20")),
  figure("accounts", "Calder Bank, joint, ending 4411", 2460, joint("2026-10-31")),
  figure("accounts", "Own account at Leedsbank", 860, { asOf: "2026-10-31" }),
  figure("savings", "Cash ISA", 6200, { asOf: "2026-10-31" }),
  figure("pensions", "Teachers’ pension", 96_000, { asOf: "2026-03-31" }),
  figure("income", "Wages", 2410, { asOf: "2026-10-31" }),
];
const SECOND = [
  figure("property", "Family home, 12 Elm Road", 395_000, joint("2026-11-02")),
  figure("debts", "Mortgage on the home", 182_400, joint("2026-11-02")),
  figure("accounts", "Joint account Calder Bank", 2460, joint("2026-11-02")),
  figure("savings", "Premium bonds, joint", 4000, joint("2026-11-02")),
  figure("pensions", "Aviva workplace pension", null),
  figure("debts", "Credit card", 1150, { asOf: "2026-11-02" }),
  figure("income", "Wages", 2980, { asOf: "2026-11-02" }),
];

/** In cases whose people know of each other; the first pairs that fit are put beside each other. */
export async function demoFinances(scope: Scope, cases: readonly Case[]): Promise<void> {
  let count = 0;
  for (const { id } of cases) {
    const theCase = await getCase(scope, id);
    const [first, second] = theCase.parties;
    const isReady = theCase.status === "in_mediation" && theCase.domain === "family" && untoldIn(theCase) === null;
    if (!isReady || !first || !second || theCase.parties.length > 2) continue;
    await disclose(scope, id, { first: first.partyId, second: second.partyId });
    count += 1;
    if (count === CASES) return;
  }
}

async function disclose(scope: Scope, caseId: string, of: { first: string; second: string }): Promise<void> {
  const [home, mortgage, account] = await told(scope, { caseId, partyId: of.first, figures: FIRST });
  const [otherHome, otherMortgage, otherAccount] = await told(scope, { caseId, partyId: of.second, figures: SECOND });
  const at = async () => ({ caseId, version: (await getFinances(scope, { caseId })).version });
  const pair = async (...ids: (string | undefined)[]): Promise<Finances> =>
    pairFigures(scope, { ...(await at()), figureIds: ids.flatMap((id) => id ?? []), isPaired: true });
  await pair(home, otherHome);
  await pair(mortgage, otherMortgage);
  // The account is left for somebody to say that it is the same.
  if (!account || !otherAccount || !home || !otherHome) return;
  await setNone(scope, { ...(await at()), partyId: of.first, category: "business", isNone: true });
  const on = await practiceToday(scope.ownerId);
  for (const partyId of [of.first, of.second]) await setComplete(scope, { ...(await at()), partyId, on });
  const consents = [of.first, of.second].map((partyId) => ({ partyId, on, how: "In the session" }));
  await exchangeFinances(scope, { ...(await at()), consents, areAsHandedOver: false });
  const agreed = { figureIds: [home, otherHome], amountMinor: 40_000_000, on };
  for (const partyId of [of.first, of.second]) await agreeFigure(scope, { ...(await at()), ...agreed, partyId });
}

interface Telling {
  caseId: string;
  partyId: string;
  figures: readonly Told[];
}

/** The ids of the figures, in their order. */
async function told(scope: Scope, { caseId, partyId, figures }: Telling): Promise<string[]> {
  const ids: string[] = [];
  for (const { pounds, ...given } of figures) {
    const amountMinor = pounds === null ? null : pounds * 100;
    const made = { caseId, partyId, figure: { ...given, amountMinor, evidenceFileId: null } };
    ids.push((await inTransaction(() => addFigure(scope, made))).id);
  }
  return ids;
}
