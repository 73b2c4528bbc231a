import { isNotFound } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { readableFile } from "../files/files.service.ts";

type FileDoc = Awaited<ReturnType<typeof readableFile>>;

export interface AttachedFile {
  id: string;
  /** Null where there is none that this person may read. */
  doc: FileDoc | null;
}

export async function attachedFiles(scope: Scope, ids: string[]): Promise<AttachedFile[]> {
  const files: AttachedFile[] = [];
  for (const id of new Set(ids)) files.push({ id, doc: await fileOrNull(scope, id) });
  return files;
}

async function fileOrNull(scope: Scope, id: string): Promise<FileDoc | null> {
  try {
    return await readableFile(scope, id);
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}
