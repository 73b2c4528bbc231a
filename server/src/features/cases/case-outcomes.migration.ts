import { type CaseDoc, CaseModel } from "./cases.model.ts";

/** Whoever was reconciled, or settled it themselves, could only be recorded as not having agreed. */
export async function outcomesOfTheirOwn(): Promise<void> {
  for (const ending of ["reconciled", "settled_themselves"])
    await CaseModel.collection.updateMany(
      { ending, "outcome.code": "not_agreed" },
      { $set: { "outcome.code": ending } },
    );
}

/** How cases had ended that came back, as far as their steps say it still. */
export async function roundsOfSteps(): Promise<void> {
  const docs = CaseModel.find({}, { ownerId: 1, steps: 1, rounds: 1 }).setOptions({ anyOwner: true }).lean().cursor();
  for await (const { _id, ownerId, steps, rounds } of docs) {
    if (rounds) continue;
    await CaseModel.updateOne(
      { _id, ownerId },
      { $set: { rounds: steps.flatMap(roundBefore) } },
      { timestamps: false },
    );
  }
}

function roundBefore({ from, to, since, reason, endBefore }: CaseDoc["steps"][number]): CaseDoc["rounds"] {
  // A case that is closed keeps its outcome.
  if (!endBefore || to === "closed") return [];
  const { ending, outcome, concludedOn } = endBefore;
  return ending === null && outcome === null
    ? []
    : [{ status: from, ending, outcome, reason, endedAt: since, concludedOn }];
}
