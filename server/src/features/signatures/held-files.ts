// What is out to be signed, or was signed, is not deleted under those who have its link.
import { OPEN_STATUSES, SIGNED_OPEN_DAYS } from "@app/shared/signatures";
import { mayPartyRead } from "@app/shared/visibility";
import mongoose from "mongoose";
import { DAY_MS, now } from "../../core/clock.ts";
import { systemScope } from "../../core/system-scope.ts";
import { getCase } from "../cases/cases.service.ts";
import { defineFileHold } from "../files/file-holds.service.ts";
import { readableOf } from "../files/party-files.service.ts";
import { practiceDates } from "../practices/practices.service.ts";
import { isParty, type SignatureDoc, SignatureModel } from "./signatures.model.ts";

const RUNNING = [...OPEN_STATUSES, "expired" as const];

defineFileHold(async ({ _id, ownerId, name }) =>
  (await SignatureModel.exists({ ownerId, fileId: _id, status: mongoose.trusted({ $in: RUNNING }) }))
    ? `“${name}” is out to be signed. Withdraw it first, under Files, where you see who is to sign.`
    : null,
);

defineFileHold(async (file) => {
  const { _id: sealedFileId, ownerId, name } = file;
  const doc = await SignatureModel.findOne({ ownerId, sealedFileId }).lean<SignatureDoc>();
  const until = new Date((doc?.sealedAt?.getTime() ?? 0) + SIGNED_OPEN_DAYS * DAY_MS);
  if (!doc || until <= now()) return null;
  const { parties } = await getCase(systemScope(ownerId), doc.caseId);
  const signed = doc.signers.filter(isParty).map(({ partyId }) => partyId);
  if (!parties.some((party) => signed.includes(party.partyId) && mayPartyRead(readableOf(file), party))) return null;
  const { day } = await practiceDates(ownerId);
  return `Those who signed “${name}” were told that they can download it until ${day(until)}, so it stays until then. To take it from them before, change who reads it to the practice only, and tell them.`;
});
