// What a document may say of the finances of a case: what was exchanged, with where each figure is known from; and, where
// it is without prejudice, what was proposed.
import { moneyText } from "@app/shared/answer-texts";
import type { Case, Party } from "@app/shared/cases";
import type { DocumentValues, EachValues, RepeatValues } from "@app/shared/document-fields";
import { FINANCE_CATEGORIES, FINANCE_CATEGORY_NAMES, type FinanceCategory } from "@app/shared/finance-categories";
import {
  agreedMinor,
  type FinanceLine,
  linesOfFinances,
  ownerOf,
  remarksOn,
  totalsOf,
  valueOf,
} from "@app/shared/finance-lines";
import type { Addressee } from "@app/shared/documents";
import type { Figure } from "@app/shared/finances";
import { PROPOSAL_STATUS_NAMES } from "@app/shared/session-states";
import { inWords } from "@app/shared/in-words";
import type { Dates } from "../../core/dates.ts";
import { wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { disclosersOf, financesForAll, type SharedFinances } from "../finances/party-figures.service.ts";
import { practiceDates } from "../practices/practices.service.ts";
import { type SharedProposal, sharedProposals } from "../sessions/shared-proposals.service.ts";

interface Said {
  values: DocumentValues;
  repeats: RepeatValues;
}

/**
 * Throws where something is recorded of which not all of the participants know: a statement without it would be none; and
 * where it would be of one alone.
 */
export async function assertExchanged(scope: Scope, theCase: Case, { kind }: Addressee): Promise<void> {
  const { isWaiting, parties } = await financesForAll(scope, theCase, await disclosersOf(scope, theCase));
  if (kind === "joint" && parties.length < 2)
    throw wrongState("Only one participant discloses their finances, so there is no statement of several.");
  if (isWaiting)
    throw wrongState(
      "There are figures that the participants have not exchanged yet. Record the exchange on the Finances tab first.",
    );
}

/** Nothing before the figures were exchanged; then those that every one of its readers has been shown. */
export async function financeData(scope: Scope, theCase: Case, readers: readonly Party[]): Promise<Said> {
  const finances = await financesForAll(scope, theCase, readers);
  const { exchangedAt, handedOverOn } = finances;
  if (exchangedAt === null) return { values: {}, repeats: {} };
  const dates = await practiceDates(scope.ownerId);
  const lines = linesOfFinances({ ...finances, parties: withoutAnswers(finances) });
  const [first, ...others] = finances.parties;
  const values: DocumentValues = {
    "finances.exchangedOn": handedOverOn ? dates.calendarDay(handedOverOn) : dates.day(exchangedAt),
    "finances.first": first?.name ?? "",
    "finances.second": inWords(others.map(({ name }) => name)),
    "finances.names": inWords(finances.parties.map(({ name }) => name)),
  };
  const writing = { finances, dates };
  const agreed = lines.filter((line) => agreedMinor(line, finances.parties) !== null);
  return {
    values,
    repeats: {
      ...Object.fromEntries(
        FINANCE_CATEGORIES.map((category) => [`finances.${category}`, rowsUnder(category, lines, writing)]),
      ),
      "finances.totals": FINANCE_CATEGORIES.flatMap((category) => {
        const own = lines.filter((line) => line.category === category);
        return own.length > 0 ? [totalRow(FINANCE_CATEGORY_NAMES[category], own, finances)] : [];
      }),
      "finances.agreed": agreed.map((line) => rowOf(line, writing)),
      "finances.open": remarksOn({ ...finances, parties: withoutAnswers(finances) }).map(({ text }) => ({
        "each.question": text,
      })),
    },
  };
}

export async function proposalData(scope: Scope, theCase: Case): Promise<RepeatValues> {
  const [proposals, dates] = await Promise.all([sharedProposals(scope, theCase), practiceDates(scope.ownerId)]);
  const rowOfProposal = ({ issue, text, status, by, on, among }: SharedProposal): EachValues => ({
    "each.proposalAbout": issue,
    "each.proposal": text,
    "each.proposedBy": by,
    "each.proposalState": PROPOSAL_STATUS_NAMES[status],
    ...(status === "agreed_in_principle" && {
      "each.proposalAgreedOn": [dates.calendarDay(on), among].filter(Boolean).join(": "),
    }),
  });
  return {
    "proposals.agreed": proposals.filter(({ status }) => status === "agreed_in_principle").map(rowOfProposal),
    "proposals.lastSession": proposals.filter(({ isOfLast }) => isOfLast).map(rowOfProposal),
  };
}

const withoutAnswers = ({ parties }: SharedFinances) =>
  parties.map((party) => ({ ...party, label: "", completeOn: "", answers: null }));

interface Writing {
  finances: SharedFinances;
  dates: Dates;
}

function rowsUnder(category: FinanceCategory, lines: readonly FinanceLine[], writing: Writing): EachValues[] {
  const own = lines.filter((line) => line.category === category);
  if (own.length === 0) return [];
  return [...own.map((line) => rowOf(line, writing)), totalRow(TOGETHER, own, writing.finances)];
}

/** What the row of a total is called under its heading. */
export const TOGETHER = "Together";
const NOTHING = "–";
/** Also where somebody does not know their amount yet: both figures stand beside it. */
const NOT_AGREED = "Not agreed";

function rowOf(line: FinanceLine, { finances, dates }: Writing): EachValues {
  const { parties, currency } = finances;
  const [first, ...others] = parties;
  const value = valueOf(line, parties);
  const isAgreed = agreedMinor(line, parties) !== null;
  return {
    "each.thing": namesOf(line, finances),
    "each.whose": whoseWords(line, finances),
    "each.first": saidBy(line, first ? [first] : [], currency),
    "each.second": saidBy(line, others, currency),
    "each.value": value === null ? NOT_AGREED : `${moneyText(value, currency)}${isAgreed ? " (agreed)" : ""}`,
    "each.asOf": dayWords(line, dates),
    "each.source": line.figures.map((figure) => sourceWords(figure, { finances, dates })).join("; "),
  };
}

/** As each of them calls it: who knows it by another name sees that it is the same here. */
function namesOf({ label, figures }: FinanceLine, { parties }: SharedFinances): string {
  const others = figures.flatMap(({ label: own, partyId }) => {
    const name = parties.find((party) => party.partyId === partyId)?.name ?? "";
    return own.toLowerCase() === label.toLowerCase() ? [] : [`${name}: ${own}`];
  });
  return others.length > 0 ? `${label} (${others.join("; ")})` : label;
}

function totalRow(name: string, lines: readonly FinanceLine[], { parties, currency }: SharedFinances): EachValues {
  const { own, isAnyJoint, jointMinor } = totalsOf(lines, parties);
  const isOpen = lines.some((line) => valueOf(line, parties) === null);
  const ownOf = (of: SharedFinances["parties"]) =>
    of
      .map(({ partyId, name: whose }) => {
        const minor = own.find((one) => one.partyId === partyId)?.amountMinor ?? null;
        const amount = minor === null ? "Not known yet" : moneyText(minor, currency);
        return of.length > 1 ? `${whose}: ${amount}` : amount;
      })
      .join("\n");
  const all = own.reduce((sum, { amountMinor }) => sum + (amountMinor ?? 0), jointMinor ?? 0);
  return {
    "each.thing": name,
    "each.whose": isAnyJoint
      ? `Joint: ${jointMinor === null ? "not settled" : moneyText(jointMinor, currency)}`
      : NOTHING,
    "each.first": ownOf(parties.slice(0, 1)),
    "each.second": ownOf(parties.slice(1)),
    "each.value": isOpen || jointMinor === null ? "Not settled" : moneyText(all, currency),
    "each.asOf": NOTHING,
    "each.source": NOTHING,
  };
}

function whoseWords(line: FinanceLine, { parties }: SharedFinances): string {
  const [figure] = line.figures;
  if (line.isPaired && ownerOf(line, parties) === null) return "Not agreed";
  const owner = figure?.owner ?? "own";
  const name = parties.find(({ partyId }) => partyId === figure?.partyId)?.name ?? "";
  const others = parties.filter(({ partyId }) => partyId !== figure?.partyId).map((party) => party.name);
  switch (owner) {
    case "joint":
      return "Joint";
    case "other":
      return inWords(others);
    case "outside":
      return `${name}, with somebody else`;
    case "own":
      return name;
  }
}

function saidBy(line: FinanceLine, of: SharedFinances["parties"], currency: string): string {
  const said = of.flatMap(({ partyId, name }) => {
    const figure = line.figures.find((one) => one.partyId === partyId);
    if (!figure) return [];
    const amount = figure.amountMinor === null ? "Not known yet" : moneyText(figure.amountMinor, currency);
    return [of.length > 1 ? `${name}: ${amount}` : amount];
  });
  return said.join("\n") || NOTHING;
}

const dayWords = ({ figures }: FinanceLine, dates: Dates): string =>
  [...new Set(figures.map(({ asOf }) => (asOf ? dates.calendarDay(asOf) : "No date")))].join("\n");

/** So that a figure can be traced: who said it where, of which day it is, and which paper shows it. */
function sourceWords(figure: Figure, { finances, dates }: Writing): string {
  const { source, asOf, evidenceFileId, evidenceName, partyId } = figure;
  const name = finances.parties.find((party) => party.partyId === partyId)?.name ?? "A participant";
  const said =
    source.kind === "answers"
      ? `answered in “${source.formName}” (version ${source.formNumber}) on ${dates.calendarDay(source.on)}`
      : `entered by ${source.byName} on ${dates.calendarDay(source.on)}`;
  const day = asOf ? `, as of ${dates.calendarDay(asOf)}` : "";
  const paper = evidenceName ? `, shown by ${evidenceName}` : evidenceFileId ? ", shown by a paper on file" : "";
  return `${name}: ${said}${day}${paper}`;
}
