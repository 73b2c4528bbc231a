// The act by which each is shown what the others disclosed: recorded by whoever heard that each consents.
import type { z } from "zod";
import type { exchangeFinancesSchema, Finances } from "@app/shared/finances";
import mongoose from "mongoose";
import { addDays } from "@app/shared/days";
import { SHARED } from "@app/shared/visibility";
import { instantOf } from "@app/shared/wall-time";
import { now } from "../../core/clock.ts";
import { badField, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { assertAlive, assertInCase } from "../cases/case-days.service.ts";
import { practiceTimeZone } from "../practices/practices.service.ts";
import { assertNotOlder } from "../visibility/consent-age.service.ts";
import { disclosingParties } from "./finances.service.ts";
import { FigureModel } from "./finances.model.ts";
import { assertRecords, changeStatement } from "./statement-changes.ts";
import { isNoneWaiting, partyOfStatement } from "./statements.ts";

/** Shows all figures to all who take part, as they stand now. What is changed afterwards waits for the next exchange. */
export const exchangeFinances = (scope: Scope, input: z.output<typeof exchangeFinancesSchema>): Promise<Finances> =>
  changeStatement(scope, input, async ({ theCase, statement, figures }) => {
    const { consents } = input;
    assertRecords(scope, theCase);
    const parties = disclosingParties(theCase);
    if (parties.length < 2) throw wrongState("There is nobody yet to exchange financial disclosure with.");
    const unfinished = parties.find(({ partyId }) => partyOfStatement(statement, partyId).completeOn === "");
    if (unfinished)
      throw wrongState(
        `The disclosure of ${unfinished.name} (${unfinished.label}) is not complete. Record when they said that it is all.`,
      );
    if (consents.length !== parties.length || new Set(consents.map(({ partyId }) => partyId)).size < parties.length)
      throw badField("consents", "Record the consent of each participant, once.");
    const gone = {
      ownerId: scope.ownerId,
      caseId: theCase.id,
      deletedAt: mongoose.trusted({ $ne: null }),
      wasShown: true,
    };
    const waiting = [
      ...figures.filter(({ exchangedAt }) => exchangedAt === null).map(({ savedAt }) => savedAt),
      ...(await FigureModel.find(gone, { savedAt: 1 }).lean()).map(({ savedAt }) => savedAt),
      ...statement.parties.flatMap((party) => (isNoneWaiting(party) && party.noneAt ? [party.noneAt] : [])),
    ];
    const timeZone = await practiceTimeZone(scope.ownerId);
    for (const { partyId, on } of consents) {
      const party = parties.find((one) => one.partyId === partyId);
      if (!party) throw badField("consents", "Somebody named here does not take part in this case.");
      await assertInCase(scope, theCase, "consents", on);
      await assertAlive(scope, party, "consents", on);
      // A consent with a day and no time may have been given until that day was over.
      const dayEnds = instantOf(timeZone, { day: addDays(on, 1), time: "00:00" });
      for (const saidAt of waiting) assertNotOlder("consents", dayEnds, saidAt);
    }
    const at = now();
    const ofCase = { ownerId: scope.ownerId, caseId: theCase.id, deletedAt: null };
    if ((await FigureModel.countDocuments(ofCase)) > figures.length)
      throw wrongState("There are figures that you may not read. Ask a mediator of this case to record the exchange.");
    await FigureModel.updateMany(ofCase, { $set: { visibility: SHARED, exchangedAt: at, wasShown: true } });
    await FigureModel.updateMany(gone, { $set: { wasShown: false } });
    return {
      fields: {
        parties: statement.parties.map((party) => ({ ...party, shownNoneIn: party.noneIn })),
        exchanges: [...statement.exchanges, { at, byName: scope.userName, consents }],
      },
      told: "The participants exchanged their financial disclosure",
    };
  });
