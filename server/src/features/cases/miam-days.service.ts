import mongoose from "mongoose";
import { CaseModel } from "./cases.model.ts";

export interface MiamDay {
  ownerId: string;
  caseId: string;
  partyId: string;
  clientId: string;
  miamOn: string;
}

/** The days of assessment meetings that stood with the parties themselves, of every practice: for migrations. */
export async function* miamDays(): AsyncGenerator<MiamDay> {
  const docs = CaseModel.find({ "parties.miamOn": mongoose.trusted({ $gt: "" }) }, { ownerId: 1, parties: 1 })
    .setOptions({ anyOwner: true })
    .lean()
    .cursor();
  for await (const { _id, ownerId, parties } of docs)
    for (const { partyId, clientId, miamOn } of parties)
      if (miamOn) yield { ownerId, caseId: _id, partyId, clientId, miamOn };
}
