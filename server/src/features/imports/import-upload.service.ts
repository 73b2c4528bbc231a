import type { Readable } from "node:stream";
import mongoose from "mongoose";
import type { z } from "zod";
import { suggestColumns } from "@app/shared/import-fields";
import type { DataImport, uploadImportSchema } from "@app/shared/imports";
import { inTransaction } from "../../core/database.ts";
import { notFound, wrongState } from "../../core/errors.ts";
import { whileHeld } from "../../core/holding.ts";
import { newId } from "../../core/ids.ts";
import { doOnce, type Keep } from "../../core/once.ts";
import type { Scope } from "../../core/trpc.ts";
import { getPractice } from "../practices/practices.service.ts";
import { removeImport } from "./import-removal.ts";
import { storeSource } from "./import-storing.ts";
import { type ImportDoc, ImportModel, toImport } from "./imports.model.ts";
import { assertMayImport, getImport } from "./imports.service.ts";

const WAITING_MAX = 50;

/** Files that wait take room; whoever has so many has forgotten most of them. */
async function assertRoom(scope: Scope): Promise<void> {
  const waiting = await ImportModel.countDocuments({
    ownerId: scope.ownerId,
    status: mongoose.trusted({ $in: ["mapping", "checked"] }),
  });
  if (waiting >= WAITING_MAX)
    throw wrongState(
      `${WAITING_MAX} files wait to be imported. Import or discard some of them, and choose this one again.`,
    );
}

/** Takes in a file and suggests what its columns are. Nothing of it is imported yet. */
export async function uploadImport(
  scope: Scope,
  arriving: Readable,
  { id = newId(), ...upload }: z.output<typeof uploadImportSchema> & { id?: string },
  // Who this is once the file is here: it takes its time, and rights change meanwhile.
  present: () => Promise<Scope> = () => Promise.resolve(scope),
): Promise<DataImport> {
  assertMayImport(scope, upload.kind);
  await assertRoom(scope);
  return whileHeld(async ({ by }) => {
    const _id = await startUpload(scope, upload, by);
    try {
      const stored = await storeUpload(scope, arriving, { ...upload, id, _id, present });
      if (stored.id !== _id) await removeImport(scope.ownerId, { _id, status: "mapping" });
      return stored;
    } catch (error) {
      await removeImport(scope.ownerId, { _id, status: "mapping" });
      throw error;
    }
  });
}

/** What the sweeper of broken uploads leaves alone as long as it is held. */
async function startUpload(
  scope: Scope,
  { kind, name }: z.output<typeof uploadImportSchema>,
  heldBy: string,
): Promise<string> {
  const { region } = await getPractice(scope);
  const _id = newId();
  await ImportModel.create([
    {
      _id,
      ownerId: scope.ownerId,
      kind,
      fileName: name,
      dateOrder: region === "united_states" ? "mdy" : "dmy",
      startedByName: scope.userName,
      uploadedBy: scope.userId,
      startedBy: scope.userId,
      heldBy,
    },
  ]);
  return _id;
}

async function storeUpload(
  scope: Scope,
  arriving: Readable,
  {
    id,
    _id,
    kind,
    name,
    present,
  }: z.output<typeof uploadImportSchema> & { id: string; _id: string; present: () => Promise<Scope> },
): Promise<DataImport> {
  const { hash, ...source } = await storeSource(scope, _id, arriving);
  assertMayImport(await present(), kind);
  const complete = { ...source, columns: suggestColumns(kind, source.headings), isComplete: true, heldBy: "" };
  return doOnce(
    scope,
    { id, what: "imports.upload", input: { kind, name, hash } },
    {
      make: (keep) => completeImport(scope, _id, { complete, keep }),
      look: (madeId) => getImport(scope, madeId),
    },
  );
}

const completeImport = (
  scope: Scope,
  _id: string,
  { complete, keep }: { complete: Partial<ImportDoc>; keep: Keep },
): Promise<DataImport> =>
  inTransaction(async () => {
    await keep(_id);
    const stored = await ImportModel.findOneAndUpdate(
      { ownerId: scope.ownerId, _id, isGoing: null },
      { $set: complete },
      { returnDocument: "after", lean: true },
    );
    if (!stored) throw notFound("Import");
    return toImport(stored);
  });
