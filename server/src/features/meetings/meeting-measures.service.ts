import { unkeptMeasures } from "@app/shared/meeting-safety";
import type { Measure } from "@app/shared/screenings";
import { notFound } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { MeetingModel } from "./meetings.model.ts";

/** Those of these measures that a meeting goes without among these parties, and of which nobody said why: a screening asked for them later. */
export async function unexplainedMeasures(
  { ownerId }: Scope,
  id: string,
  { measures, partyIds }: { measures: readonly Measure[]; partyIds: string[] },
): Promise<Measure[]> {
  const doc = await MeetingModel.findOne({ ownerId, _id: id }).lean();
  if (!doc) throw notFound("Meeting");
  const { againstMeasuresEnc: reason, explained = measures } = doc;
  const unkept = unkeptMeasures(measures, { ...doc, partyIds });
  return reason === "" ? unkept : unkept.filter((measure) => !explained.includes(measure));
}
