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
import "./import-sweeper.ts";
import * as imports from "./imports.service.ts";

const reading = permitted("clients.read", "data.export");
const importing = permitted("clients.read", "clients.write", "data.export");

export const importsRouter = router({
  list: reading
    .input(listImportsSchema)
    .output(importPageSchema)
    .query(({ ctx, input }) => imports.listImports(ctx.scope, input)),
  get: reading
    .input(byIdSchema)
    .output(importSchema)
    .query(({ ctx, input }) => imports.getImport(ctx.scope, input.id)),
  listProblems: reading
    .input(listProblemsSchema)
    .output(problemPageSchema)
    .query(({ ctx, input }) => imports.listProblems(ctx.scope, input)),
  check: importing
    .input(checkImportSchema)
    .output(importSchema)
    .mutation(({ ctx, input }) => imports.checkImport(ctx.scope, input)),
  start: importing
    .input(byIdSchema)
    .output(importSchema)
    .mutation(({ ctx, input }) => imports.startImport(ctx.scope, input.id)),
  cancel: importing
    .input(byIdSchema)
    .output(importSchema)
    .mutation(({ ctx, input }) => imports.cancelImport(ctx.scope, input.id)),
  undo: importing
    .input(undoImportSchema)
    .output(undoResultSchema)
    .mutation(({ ctx, input }) => imports.undoImport(ctx.scope, input)),
  discard: importing
    .input(byIdSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => imports.discardImport(ctx.scope, input.id)),
});
