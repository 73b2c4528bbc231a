// What was recorded by a screening that was struck since rests on nothing any more.
import type { Scope } from "../../core/trpc.ts";
import { practiceTimeZone } from "../practices/practices.service.ts";
import { type ScreeningDoc, ScreeningModel } from "./screenings.model.ts";
import { assessesRiskBy } from "./screenings.service.ts";

type Ground = (of: { partyId: string; attendedOn: string }) => boolean;

/**
 * Whether the risk of a party of this case was assessed until a day by struck screenings alone. Of meetings from before a
 * screening was asked for there is none, and what was said of them stays.
 */
export async function restsOnStruck({ ownerId }: Pick<Scope, "ownerId">, caseId: string): Promise<Ground> {
  const isThere = await ScreeningModel.exists({ ownerId, caseId, status: "struck" });
  if (!isThere) return () => false;
  const docs = await ScreeningModel.find({ ownerId, caseId }).lean();
  const timeZone = await practiceTimeZone(ownerId);
  return ({ partyId, attendedOn }) => {
    const assesses = (doc: ScreeningDoc) => doc.partyId === partyId && assessesRiskBy(doc, attendedOn, timeZone);
    const isStruck = ({ status }: ScreeningDoc) => status === "struck";
    return docs.some((doc) => isStruck(doc) && assesses(doc)) && !docs.some((doc) => !isStruck(doc) && assesses(doc));
  };
}
