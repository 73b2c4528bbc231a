// The act by which each is shown what the others disclosed: recorded by whoever heard that each consents.
import type { z } from "zod";
import type { exchangeFinancesSchema, Finances } from "@app/shared/finances";
import mongoose from "mongoose";
import { addDays } from "@app/shared/days";
import { inWords } from "@app/shared/in-words";
import { amongThese } from "@app/shared/visibility";
import { instantOf } from "@app/shared/wall-time";
import { now } from "../../core/clock.ts";
import { badField, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { assertAlive, assertInCase } from "../cases/case-days.service.ts";
import { practiceTimeZone } from "../practices/practices.service.ts";
import { assertNotOlder } from "../visibility/consent-age.service.ts";
import { FigureModel } from "./finances.model.ts";
import { assertRecords, changeStatement } from "./statement-changes.ts";
import { disclosingParties, isNoneWaiting, partyOfStatement } from "./statements.ts";

/**
 * Shows all figures to all who take part, as they stand now. What is changed afterwards waits for the next exchange. What
 * they consented to by its papers may be typed later, where it is said that it is what was handed over.
 */
export const exchangeFinances = (scope: Scope, input: z.output<typeof exchangeFinancesSchema>): Promise<Finances> =>
  changeStatement(scope, input, async ({ theCase, statement, figures }) => {
    const { consents, areAsHandedOver } = input;
    assertRecords(scope, theCase);
    const parties = disclosingParties(theCase, statement);
    if (parties.length < 2) throw wrongState("There is nobody yet to exchange financial disclosure with.");
    const unfinished = parties.filter(({ partyId }) => partyOfStatement(statement, partyId).completeOn === "");
    if (unfinished.length > 0)
      throw wrongState(
        `The disclosure of ${inWords(unfinished.map(({ name, label }) => `${name} (${label})`))} is not complete. Record when they said that it is all.`,
      );
    if (consents.length !== parties.length || new Set(consents.map(({ partyId }) => partyId)).size < parties.length)
      throw badField("consents", "Record the consent of each participant, once.");
    // What somebody who left, or does not disclose, had not exchanged stays theirs.
    const partyId = mongoose.trusted({ $in: parties.map((party) => party.partyId) });
    const ofThese = { ownerId: scope.ownerId, caseId: theCase.id, partyId };
    const gone = { ...ofThese, deletedAt: mongoose.trusted({ $ne: null }), wasShown: true };
    const isOfThese = (one: { partyId: string }) => parties.some((party) => party.partyId === one.partyId);
    const known = figures.filter(isOfThese);
    const unshown = known.filter(({ exchangedAt }) => exchangedAt === null);
    const waiting = [
      ...unshown.map(({ savedAt }) => savedAt),
      ...(await FigureModel.find(gone, { savedAt: 1 }).lean()).map(({ savedAt }) => savedAt),
      ...statement.parties
        .filter(isOfThese)
        .flatMap((party) => (isNoneWaiting(party) && party.noneAt ? [party.noneAt] : [])),
    ];
    const timeZone = await practiceTimeZone(scope.ownerId);
    for (const { partyId: byPartyId, on } of consents) {
      const party = parties.find((one) => one.partyId === byPartyId);
      if (!party) throw badField("consents", "Somebody named here does not take part in this case.");
      await assertInCase(scope, theCase, "consents", on);
      await assertAlive(scope, party, "consents", on);
      // A consent with a day and no time may have been given until that day was over.
      const dayEnds = instantOf(timeZone, { day: addDays(on, 1), time: "00:00" });
      if (areAsHandedOver) assertHandedOver(unshown, on);
      else for (const saidAt of waiting) assertNotOlder("consents", dayEnds, saidAt);
    }
    const at = now();
    const ofCase = { ...ofThese, deletedAt: null };
    if ((await FigureModel.countDocuments(ofCase)) > known.length)
      throw wrongState("There are figures that you may not read. Ask a mediator of this case to record the exchange.");
    await FigureModel.updateMany(ofCase, {
      $set: { visibility: amongThese(theCase, parties), exchangedAt: at, wasShown: true },
    });
    await FigureModel.updateMany(gone, { $set: { wasShown: false } });
    return {
      fields: {
        parties: statement.parties.map((party) => (isOfThese(party) ? { ...party, shownNoneIn: party.noneIn } : party)),
        exchanges: [...statement.exchanges, { at, byName: scope.userName, consents, areAsHandedOver }],
      },
      told: "The participants exchanged their financial disclosure",
    };
  });

/** Nothing of a later day can have been handed over then. */
function assertHandedOver(figures: readonly { asOf: string }[], on: string): void {
  if (figures.some(({ asOf }) => asOf > on))
    throw badField(
      "consents",
      "A figure is of a later day than this consent, so it was not handed over then. Correct its day, or enter a later consent.",
    );
}
