import { missingWith, notFound } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { getCase } from "../cases/cases.service.ts";
import { type ScreeningDoc, ScreeningModel } from "./screenings.model.ts";

/** One of a case that this person may see. */
export async function findScreening(scope: Scope, id: string): Promise<ScreeningDoc> {
  const doc = await ScreeningModel.findOne({ ownerId: scope.ownerId, _id: id }).lean();
  if (!doc) throw notFound("Screening");
  await missingWith("Screening", getCase(scope, doc.caseId));
  return doc;
}
