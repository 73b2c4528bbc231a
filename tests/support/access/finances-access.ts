import { newId } from "@app/server/core/ids";
import { aFigure } from "../finances/disclosed.ts";
import type { TestPractice } from "../server/people.ts";
import type { Door, Target } from "./door.ts";

const READ = { access: "subscribed", permission: "clients.read", stranger: "missing" } as const;
const WRITTEN = { access: "subscribed", permission: ["clients.read", "clients.write"], stranger: "missing" } as const;
/** The statement of the case counts up with each of its figures: nobody has this version on the screen. */
const LATE = { ...WRITTEN, passedGatesWith: "CONFLICT" } as const;
const ON = "2026-01-05";

const ofStatement = ({ caseId }: Target) => ({ caseId, version: 999 });
const ofParty = (target: Target) => ({ ...ofStatement(target), partyId: target.partyId });

/** The procedures of what parties disclose of their finances. */
export const FINANCES_ACCESS: Record<string, Door> = {
  "finances.get": { ...READ, input: ({ caseId }) => ({ caseId }) },
  "finances.figure": { ...READ, input: ({ figureId }) => ({ id: figureId }) },
  "finances.history": { ...READ, input: ({ figureId }) => ({ id: figureId }) },
  "finances.addFigure": {
    ...WRITTEN,
    input: ({ caseId, partyId }) => ({ id: newId(), caseId, partyId, figure: aFigure() }),
  },
  "finances.updateFigure": {
    ...WRITTEN,
    input: ({ figureId }) => ({ id: figureId, version: 0, figure: aFigure({ amountMinor: 5 }) }),
  },
  "finances.setFigureRemoved": { ...WRITTEN, input: ({ figureId }) => ({ id: figureId, isRemoved: false }) },
  "finances.takeOver": { ...LATE, input: (target) => ({ ...ofParty(target), submissionId: target.submissionId }) },
  "finances.decide": {
    ...LATE,
    input: (target) => ({ ...ofParty(target), submissionId: target.submissionId, key: "bills", isTakenOver: true }),
  },
  "finances.setNone": { ...LATE, input: (target) => ({ ...ofParty(target), category: "pensions", isNone: true }) },
  "finances.setDisclosing": { ...LATE, input: (target) => ({ ...ofParty(target), isDisclosing: false }) },
  "finances.setComplete": { ...LATE, input: (target) => ({ ...ofParty(target), on: ON }) },
  "finances.pair": {
    ...LATE,
    input: (target) => ({ ...ofStatement(target), figureIds: [target.figureId, newId()], isPaired: true }),
  },
  "finances.agree": {
    ...LATE,
    input: (target) => ({ ...ofParty(target), figureIds: [target.figureId], amountMinor: 1, on: ON }),
  },
  "finances.takeBackAgreed": {
    ...LATE,
    input: (target) => ({ ...ofStatement(target), figureIds: [target.figureId] }),
  },
  "finances.exchange": {
    ...LATE,
    input: (target) => ({
      ...ofStatement(target),
      consents: [target.partyId, newId()].map((partyId) => ({ partyId, on: ON, how: "In the session" })),
    }),
  },
};

/** Of the party of this case. */
export async function aFigureOf(
  { api }: TestPractice,
  { caseId, partyId }: { caseId: string; partyId: string },
  label: string,
): Promise<string> {
  return (await api.finances.addFigure.mutate({ id: newId(), caseId, partyId, figure: aFigure({ label }) })).id;
}
