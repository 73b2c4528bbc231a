import { z } from "zod";
import { byIdSchema } from "@app/shared/ids";
import {
  checkImportSchema,
  importPageSchema,
  importSchema,
  listImportsSchema,
  listProblemsSchema,
  problemPageSchema,
  undoImportSchema,
  undoResultSchema,
} from "@app/shared/imports";
import { permitted, router } from "../../core/trpc.ts";
import * as imports from "./imports.service.ts";

export const importsRouter = router({
  list: permitted("data.export")
    .input(listImportsSchema)
    .output(importPageSchema)
    .query(({ ctx, input }) => imports.listImports(ctx.scope, input)),
  get: permitted("data.export")
    .input(byIdSchema)
    .output(importSchema)
    .query(({ ctx, input }) => imports.getImport(ctx.scope, input.id)),
  listProblems: permitted("data.export")
    .input(listProblemsSchema)
    .output(problemPageSchema)
    .query(({ ctx, input }) => imports.listProblems(ctx.scope, input)),
  check: permitted("data.export")
    .input(checkImportSchema)
    .output(importSchema)
    .mutation(({ ctx, input }) => imports.checkImport(ctx.scope, input)),
  start: permitted("data.export")
    .input(byIdSchema)
    .output(importSchema)
    .mutation(({ ctx, input }) => imports.startImport(ctx.scope, input.id)),
  cancel: permitted("data.export")
    .input(byIdSchema)
    .output(importSchema)
    .mutation(({ ctx, input }) => imports.cancelImport(ctx.scope, input.id)),
  undo: permitted("data.export")
    .input(undoImportSchema)
    .output(undoResultSchema)
    .mutation(({ ctx, input }) => imports.undoImport(ctx.scope, input)),
  discard: permitted("data.export")
    .input(byIdSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => imports.discardImport(ctx.scope, input.id)),
});
