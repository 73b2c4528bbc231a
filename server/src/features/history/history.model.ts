import mongoose from "mongoose";
import type { HistoryEvent, HistoryKind } from "@app/shared/history";
import type { Visibility } from "@app/shared/visibility";
import { newId } from "../../core/ids.ts";
import { type Needs, needsField } from "../../core/needs.ts";
import { owned } from "../../core/owned.ts";

/** The meeting that a party's line tells of, and what became of it: its name is not part of it. */
export interface MeetingLine {
  meetingId: string;
  did: string;
  /** That it does not take place: whoever knew it is told so, also while they are away. */
  isOff: boolean;
}

export interface HistoryDoc {
  _id: string;
  ownerId: string;
  at: Date;
  kind: HistoryKind;
  text: string;
  /** Who it was, whatever they are called by now; empty for the product itself, and from before this was kept. */
  actorId: string;
  actorName: string;
  caseId: string | null;
  clientIds: string[];
  visibility: Visibility;
  needs: Needs;
  /** Null for lines of the practice, and for those from before this was kept. */
  meeting: MeetingLine | null;
  /** The file or note that it tells of, whose readers are its own too; null for others, and from before this was kept. */
  subjectId: string | null;
}

const required = { type: String, required: true };

const historyMongooseSchema = new mongoose.Schema<HistoryDoc>(
  {
    _id: { type: String, default: newId },
    at: { type: Date, required: true },
    kind: required,
    text: required,
    actorId: { type: String, default: "" },
    actorName: required,
    caseId: { type: String, default: null },
    clientIds: [String],
    visibility: { scope: required, partyIds: [String], aboutPartyIds: [String] },
    needs: needsField,
    meeting: {
      type: new mongoose.Schema<MeetingLine>(
        { meetingId: required, did: required, isOff: { type: Boolean, default: false } },
        { _id: false },
      ),
      default: null,
    },
    subjectId: { type: String, default: null },
  },
  { collection: "history", versionKey: false },
);
historyMongooseSchema.plugin(owned);
historyMongooseSchema.index({ ownerId: 1, clientIds: 1, at: -1, _id: -1 });
historyMongooseSchema.index({ ownerId: 1, caseId: 1, at: -1, _id: -1 });
historyMongooseSchema.index({ ownerId: 1, subjectId: 1 });

export const HistoryModel = mongoose.model("History", historyMongooseSchema);

export const toHistoryEvent = ({
  _id,
  at,
  ownerId: _ownerId,
  actorId: _actorId,
  needs: _needs,
  meeting: _meeting,
  subjectId: _subjectId,
  ...doc
}: HistoryDoc): HistoryEvent => ({
  ...doc,
  id: _id,
  at: at.toISOString(),
});
