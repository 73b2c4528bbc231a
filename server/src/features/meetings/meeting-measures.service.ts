import { unkeptMeasures } from "@app/shared/meeting-safety";
import type { Measure } from "@app/shared/screenings";
import { notFound } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { type MeetingDoc, MeetingModel } from "./meetings.model.ts";

interface Asked {
  measures: readonly Measure[];
  partyIds: string[];
}

/** Those of these measures that a meeting goes without among these parties, and of which nobody said why: a screening asked for them later. */
export async function unexplainedMeasures({ ownerId }: Scope, id: string, asked: Asked): Promise<Measure[]> {
  const doc = await MeetingModel.findOne({ ownerId, _id: id }).lean();
  if (!doc) throw notFound("Meeting");
  return unexplainedIn(doc, asked);
}

export function unexplainedIn(doc: MeetingDoc, { measures, partyIds }: Asked): Measure[] {
  const { againstMeasuresEnc: reason, explained = measures } = doc;
  const unkept = unkeptMeasures(measures, { ...doc, partyIds });
  return reason === "" ? unkept : unkept.filter((measure) => !explained.includes(measure));
}
