// The practice moves or cancels what two parties found: what each of them sees by their link goes by it.
import { defineMeetingFollower } from "../meetings/meeting-followers.service.ts";
import { askToConfirm } from "./pair-letters.ts";
import { BookingPairModel, toBeMatched } from "./pairs.model.ts";

defineMeetingFollower(async ({ ownerId }, { before, instead }) => {
  if (!before.caseId) return;
  const pair = await BookingPairModel.findOne({ ownerId, meetingId: before._id, isEnded: false }).lean();
  if (!pair) return;
  const of = { ownerId, _id: pair._id };
  if (!instead) {
    // What both had confirmed is the practice's to arrange anew.
    if (before.status !== "proposed") return;
    // What suits both besides is looked for anew.
    const free = { meetingId: null, "sides.$[].confirmedAt": null, ...toBeMatched() };
    await BookingPairModel.updateOne(of, { $pull: { "sides.$[].picks": before.startsAt }, $set: free });
    return;
  }
  await BookingPairModel.updateOne(of, { $set: { meetingId: instead._id } });
  if (instead.status !== "proposed") return;
  await BookingPairModel.updateOne(of, { $set: { "sides.$[].confirmedAt": null } });
  await askToConfirm(pair, instead._id, instead.startsAt);
});
