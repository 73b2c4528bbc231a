import mongoose from "mongoose";
import { newId } from "../../core/ids.ts";
import type { Logger } from "../../core/logger.ts";
import { NOT_INCLUDED } from "@app/shared/child-inclusive";
import { LEFT_PARTY_STATUSES, PARTY_STATUS_NAMES } from "@app/shared/case-states";
import { joinedLines, statusLines } from "../history/history-reading.service.ts";
import { CaseModel } from "./cases.model.ts";

/**
 * Since when and until when each party is in their case. Those of whom the history does not tell that they joined were
 * there from the start; whoever is out of it left when they came into that state.
 */
export async function timesOfParties(log: Logger): Promise<void> {
  const joined = await joinedLines();
  const docs = CaseModel.find({}, { ownerId: 1, parties: 1 }).setOptions({ anyOwner: true }).lean().cursor();
  for await (const { _id, ownerId, parties } of docs) {
    for (const { partyId, label, status, statusSince, joinedAt, leftAt } of parties) {
      const times = {
        joinedAt: joinedAt ?? joined.get(`${_id} ${label}`) ?? null,
        leftAt: leftAt ?? (LEFT_PARTY_STATUSES.includes(status) ? statusSince : null),
      };
      await CaseModel.updateOne(
        { _id, ownerId, "parties.partyId": partyId },
        { $set: { "parties.$.joinedAt": times.joinedAt, "parties.$.leftAt": times.leftAt } },
        { timestamps: false },
      );
    }
  }
  log.info({ joinedLater: joined.size }, "times of parties noted");
}

const LEFT_NAMES: readonly string[] = LEFT_PARTY_STATUSES.map((status) => PARTY_STATUS_NAMES[status]);

/** When each party had left and came back, as the history of their case tells it. */
export async function absencesOfParties(log: Logger): Promise<void> {
  const isUnknown = { parties: mongoose.trusted({ $elemMatch: { absences: null } }) };
  const docs = CaseModel.find(isUnknown, { ownerId: 1, parties: 1 }).setOptions({ anyOwner: true }).lean().cursor();
  let away = 0;
  for await (const { _id, ownerId, parties } of docs) {
    const lines = await statusLines(ownerId, _id);
    for (const { partyId, label } of parties) {
      const absences = absencesIn(lines.filter((line) => line.label === label));
      const party = { partyId, absences: null };
      await CaseModel.updateOne(
        { _id, ownerId, parties: mongoose.trusted({ $elemMatch: party }) },
        { $set: { "parties.$.absences": absences } },
        { timestamps: false },
      );
      away += absences.length;
    }
  }
  log.info({ away }, "absences of parties noted");
}

/** From each step out of the case to the next step back into it; who has not come back is away still. */
function absencesIn(lines: readonly { status: string; at: Date }[]): { from: Date; to: Date }[] {
  const absences: { from: Date; to: Date }[] = [];
  let left: Date | null = null;
  for (const { status, at } of lines) {
    if (LEFT_NAMES.includes(status)) left ??= at;
    else if (left) {
      absences.push({ from: left, to: at });
      left = null;
    }
  }
  return absences;
}

/** Whoever did not answer took no part, and read what was shared all the same: it is not for them from now on. */
export async function silentPartiesAreOut(log: Logger): Promise<void> {
  const isSilent = { status: "no_response" as const, leftAt: null };
  const silent = { parties: mongoose.trusted({ $elemMatch: isSilent }) };
  const docs = CaseModel.find(silent, { ownerId: 1, parties: 1 }).setOptions({ anyOwner: true }).lean().cursor();
  let count = 0;
  for await (const { _id, ownerId, parties } of docs)
    for (const { partyId, statusSince } of parties.filter(
      ({ status, leftAt }) => status === "no_response" && !leftAt,
    )) {
      await CaseModel.updateOne(
        { _id, ownerId, parties: mongoose.trusted({ $elemMatch: { ...isSilent, partyId } }) },
        { $set: { "parties.$.leftAt": statusSince } },
        { timestamps: false },
      );
      count += 1;
    }
  log.info({ count }, "parties who did not answer take no part");
}

interface OldChild {
  cim?: { isOffered?: boolean; haveParentsConsented?: boolean; hasChildConsented?: boolean; overrideReason?: string };
}
interface OldCase {
  _id: string;
  parties: { partyId: string }[];
  children: OldChild[];
}

/** That parents and a child consented stood there without a day: it counts until the next booking, which asks again. */
export async function daysOfConsents(log: Logger): Promise<void> {
  const cases = mongoose.connection.collection<OldCase>(CaseModel.collection.name);
  let count = 0;
  for await (const { _id, parties, children } of cases.find({
    "children.cim.haveParentsConsented": { $exists: true },
  })) {
    await cases.updateOne({ _id }, { $set: { children: children.map((child) => withDays(child, parties)) } });
    count += 1;
  }
  log.info({ count }, "consents that children are heard have a day");
}

const withDays = ({ cim = {}, ...child }: OldChild, parties: OldCase["parties"]): OldChild => ({
  ...child,
  cim: {
    ...NOT_INCLUDED,
    isOffered: cim.isOffered ?? false,
    overrideReason: cim.overrideReason ?? "",
    ...(cim.haveParentsConsented
      ? { parents: parties.map(({ partyId }) => ({ partyId, state: "undated", on: "", how: "" })) }
      : {}),
    ...(cim.hasChildConsented ? { child: { state: "undated", on: "" } } : {}),
  },
});

/** Each child of a case is known by an id, so that meetings can say with whom they are. */
export async function idsOfChildren(log: Logger): Promise<void> {
  const cases = mongoose.connection.collection<OldCase>(CaseModel.collection.name);
  let count = 0;
  for await (const { _id, children } of cases.find({
    children: { $elemMatch: { childId: { $exists: false } } },
  })) {
    const known = children.map((child) => ({ childId: newId(), ...child }));
    await cases.updateOne({ _id }, { $set: { children: known } });
    count += 1;
  }
  log.info({ count }, "children of cases are known by an id");
}

/** Whether a party has parental responsibility was not asked: it is, before a child is heard next. */
export async function responsibilityOfParents(log: Logger): Promise<void> {
  const cases = mongoose.connection.collection<OldCase>(CaseModel.collection.name);
  let count = 0;
  for await (const { _id, children } of cases.find({
    "children.cim": { $exists: true },
    "children.cim.responsibility": { $exists: false },
  })) {
    const { responsibility, otherParents } = NOT_INCLUDED;
    const asked = children.map((child) => ({ ...child, cim: { responsibility, otherParents, ...child.cim } }));
    await cases.updateOne({ _id }, { $set: { children: asked } });
    count += 1;
  }
  log.info({ count }, "it is asked who has parental responsibility");
}
