import { z } from "zod";
import {
  changedFilesSchema,
  fileIdsSchema,
  filePageSchema,
  fileSchema,
  listFilesSchema,
  markedFilesSchema,
  moveFilesSchema,
  releaseFileSchema,
  updateFileSchema,
} from "@app/shared/files";
import { byIdSchema, idSchema } from "@app/shared/ids";
import { calling, callingById, permitted, router } from "../../core/trpc.ts";
import "./file-sweeper.ts";
import * as changes from "./file-changes.service.ts";
import { listFiles } from "./file-lists.service.ts";
import { moveFiles } from "./file-moves.service.ts";
import * as files from "./files.service.ts";
import { markedFiles } from "./marked-files.service.ts";

export const filesRouter = router({
  list: permitted("clients.read").input(listFilesSchema).output(filePageSchema).query(calling(listFiles)),
  marked: permitted("clients.read")
    .input(z.strictObject({ caseId: idSchema }))
    .output(markedFilesSchema)
    .query(calling(markedFiles)),
  get: permitted("clients.read").input(byIdSchema).output(fileSchema).query(callingById(files.getFile)),
  update: permitted("clients.read", "documents.manage")
    .input(updateFileSchema)
    .output(fileSchema)
    .mutation(calling(changes.updateFile)),
  move: permitted("clients.read", "documents.manage")
    .input(moveFilesSchema)
    .output(changedFilesSchema)
    .mutation(calling(moveFiles)),
  release: permitted("clients.read", "documents.manage")
    .input(releaseFileSchema)
    .output(fileSchema)
    .mutation(calling(changes.releaseFile)),
  remove: permitted("clients.read", "documents.manage")
    .input(fileIdsSchema)
    .output(changedFilesSchema)
    .mutation(({ ctx, input }) => changes.removeFiles(ctx.scope, input.ids)),
  restore: permitted("clients.read", "documents.manage")
    .input(fileIdsSchema)
    .output(changedFilesSchema)
    .mutation(({ ctx, input }) => changes.restoreFiles(ctx.scope, input.ids)),
});
