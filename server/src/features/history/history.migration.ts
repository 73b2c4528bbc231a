import mongoose from "mongoose";
import { PARTY_LEAK } from "@app/shared/party-leak";
import { PRACTICE_ONLY } from "@app/shared/visibility";
import { HistoryModel } from "./history.model.ts";

/**
 * Lines about meetings were once written for each party with the meeting's own kind and time, which not every party was
 * told, and lines about files and notes for whoever could read them at the time. They are the practice's from now on;
 * the meetings, files and notes themselves stand in what a party gets, as they may know them.
 */
export async function oldLinesOfPractice(): Promise<void> {
  await HistoryModel.updateMany(
    {
      kind: mongoose.trusted({ $in: ["meeting", "file", "note"] }),
      "visibility.scope": mongoose.trusted({ $in: ["party", "shared"] }),
    },
    { $set: { visibility: PRACTICE_ONLY } },
  ).setOptions({ anyOwner: true });
}

/** Lines of a case that are a party's own: where they stand in it, and their certificates. They name nobody else. */
const OF_PARTY_ALONE = /^(?:P\d+: |P\d+ invited by |Certificate \S+ (?:issued|used|declared void)$)/;

/**
 * Lines about contacts were once for the party on whose side these stood at the time, and lines about mails for the party
 * whom these were about. They name others, and stay: they are the practice's from now on. The mails themselves stand in
 * what a party gets.
 */
export async function linesThatNameOthers(): Promise<void> {
  await HistoryModel.updateMany(
    {
      "visibility.scope": "party",
      $or: [{ kind: "mail" }, { kind: "case", text: mongoose.trusted({ $not: OF_PARTY_ALONE }) }],
    },
    { $set: { visibility: PRACTICE_ONLY } },
  ).setOptions({ anyOwner: true });
}

/** Lines that tell of a screening or a mailing, from before a line could say which permission it needs. */
export async function linesThatNeedMore(): Promise<void> {
  const ofScreening = "^(P\\d+ screened for safety|Task added: Safety: decide what follows from the screening)";
  await HistoryModel.updateMany(
    { text: mongoose.trusted({ $regex: ofScreening }), needs: null },
    { $set: { needs: "screening.read" } },
  ).setOptions({ anyOwner: true });
  await HistoryModel.updateMany(
    { kind: "mail", text: mongoose.trusted({ $regex: "^Mailing “" }), needs: null },
    { $set: { needs: "mail.read" } },
  ).setOptions({ anyOwner: true });
}

/** Lines that say that a meeting does not take place, from before they were told from others. */
export async function linesOfMeetingsThatAreOff(): Promise<void> {
  await HistoryModel.updateMany(
    { kind: "meeting", "meeting.did": mongoose.trusted({ $regex: " (cancelled|expired)$" }) },
    { $set: { "meeting.isOff": true } },
  ).setOptions({ anyOwner: true });
}

/** Lines about tasks of mails that did not leave, from when the reason began with a code. */
export async function linesWithoutCode(): Promise<void> {
  await HistoryModel.collection.updateMany({ kind: "task", text: { $regex: PARTY_LEAK } }, [
    { $set: { text: { $replaceOne: { input: "$text", find: PARTY_LEAK, replacement: "" } } } },
  ]);
}

/** Lines about tasks that say why a mail did not leave, from before only whoever may read mail read them. */
export async function linesOfUnsentMail(): Promise<void> {
  await HistoryModel.collection.updateMany(
    {
      kind: "task",
      text: { $regex: "^Task added: (A message did not leave: |Tell .+ what a message says that did not leave: )" },
    },
    { $set: { needs: "mail.read" } },
  );
}
