import { now } from "@app/server/core/clock";
import { newId } from "@app/server/core/ids";
import { ScreeningModel, sealContent } from "@app/server/features/screenings/screenings.model";
import { addMonths, dayIn } from "@app/shared/days";
import { questionsOf, toolFor } from "@app/shared/screening-tools";
import type { CompleteScreening } from "@app/shared/screenings";
import type { Case } from "@app/shared/cases";
import mongoose from "mongoose";

/** A screening in which nobody worries about anything, as the page would send it. */
export function aScreening(
  { id: caseId, domain }: Pick<Case, "id" | "domain">,
  partyId: string,
  overrides: Partial<CompleteScreening> = {},
): CompleteScreening & { id: string } {
  const tool = toolFor(domain);
  return {
    id: newId(),
    caseId,
    partyId,
    toolVersion: tool.version,
    heldOn: dayIn("Europe/London", new Date()),
    channel: "in_person",
    company: "nobody",
    supporter: null,
    answers: Object.fromEntries(questionsOf(tool).map(({ id }) => [id, { answer: "no" as const, words: "" }])),
    consulted: { isConsulted: false, who: "", on: "", whyNot: "Nothing to ask about" },
    score: null,
    measures: [],
    suitable: "yes",
    reasons: "Nothing stands in the way",
    signposted: [],
    referral: null,
    ...overrides,
  };
}

/** What makes a screening one that measures go with. */
export const withMeasures = (...measures: CompleteScreening["measures"]): Partial<CompleteScreening> => ({
  suitable: "yes_with_measures",
  measures,
});

/** What somebody told of that is a danger, with why mediation is safe all the same. */
export const told = (words: string, answer: "yes" | "not_sure" = "yes"): CompleteScreening["answers"][string] => ({
  answer,
  words,
  safeBecause: "It was long ago, and they live far apart",
});

/** What makes it one after which nobody meets. */
export const NOT_SAFE: Partial<CompleteScreening> = {
  suitable: "no",
  reasons: "Afraid of what follows",
  signposted: ["National helpline"],
};

const EVERY_MONTHS = 5;
const TIMES = 12;

/** Now, and every five months before and after, so that the risk was assessed at every MIAM of a test. */
function held() {
  const today = dayIn("Europe/London", now());
  const days = Array.from({ length: 2 * TIMES }, (_, index) => addMonths(today, EVERY_MONTHS * (index - TIMES) - 1));
  return [
    ...days.map((heldOn) => ({ status: "superseded" as const, overrides: { heldOn } })),
    { status: "completed" as const, overrides: { heldOn: today } },
  ];
}

/**
 * Stores that parties of a case were screened, and nothing else that follows from it, so that they may meet in a test
 * that is about other things. False where another process keeps the case: then nothing is stored.
 */
export async function screened(
  theCase: Case,
  parties: readonly { partyId: string }[] = theCase.parties,
): Promise<boolean> {
  if (mongoose.connection.readyState !== mongoose.ConnectionStates.connected) return false;
  const cases = mongoose.connection.collection<{ _id: string; ownerId: string }>("cases");
  const stored = await cases.findOne({ _id: theCase.id }, { projection: { ownerId: 1 } });
  if (!stored) return false;
  const { ownerId } = stored;
  // As they are: validating so many took longer than what is tested.
  await mongoose.connection.collection<{ _id: string }>(ScreeningModel.collection.name).insertMany(
    parties.flatMap(({ partyId }) =>
      held().map((of) => {
        const _id = newId();
        const {
          toolVersion,
          suitable,
          measures,
          heldOn,
          caseId,
          id: _sent,
          partyId: _party,
          ...content
        } = aScreening(theCase, partyId, of.overrides);
        return {
          _id,
          ownerId,
          caseId,
          partyId,
          toolVersion,
          suitable,
          measures,
          risk: null,
          status: of.status,
          heldOn,
          contentEnc: sealContent(ownerId, _id, content),
          completedAt: now(),
          completedByName: "Ines Marchbank",
        };
      }),
    ),
  );
  return true;
}
