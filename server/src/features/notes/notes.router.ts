import { byIdSchema, ofNewThing } from "@app/shared/ids";
import {
  createNoteSchema,
  listNotesSchema,
  listNoteVersionsSchema,
  notePageSchema,
  noteSchema,
  noteVersionPageSchema,
  releaseNoteSchema,
  restoreNoteVersionSchema,
  updateNoteSchema,
} from "@app/shared/notes";
import { creating } from "../../core/once.ts";
import { permitted, router } from "../../core/trpc.ts";
import { releaseNote } from "./note-release.service.ts";
import { restoreNoteVersion } from "./note-restore.service.ts";
import { listNoteVersions } from "./note-versions.service.ts";
import * as notes from "./notes.service.ts";

const reading = permitted("clients.read");
const writing = permitted("clients.read", "clients.write");

export const notesRouter = router({
  list: reading
    .input(listNotesSchema)
    .output(notePageSchema)
    .query(({ ctx, input }) => notes.listNotes(ctx.scope, input)),
  get: reading
    .input(byIdSchema)
    .output(noteSchema)
    .query(({ ctx, input }) => notes.getNote(ctx.scope, input.id)),
  create: writing
    .input(createNoteSchema.safeExtend(ofNewThing))
    .output(noteSchema)
    .mutation(creating(notes.createNote, notes.getNote)),
  update: writing
    .input(updateNoteSchema)
    .output(noteSchema)
    .mutation(({ ctx, input }) => notes.updateNote(ctx.scope, input)),
  remove: writing
    .input(byIdSchema)
    .output(noteSchema)
    .mutation(({ ctx, input }) => notes.removeNote(ctx.scope, input.id)),
  restore: writing
    .input(byIdSchema)
    .output(noteSchema)
    .mutation(({ ctx, input }) => notes.restoreNote(ctx.scope, input.id)),
  listVersions: reading
    .input(listNoteVersionsSchema)
    .output(noteVersionPageSchema)
    .query(({ ctx, input }) => listNoteVersions(ctx.scope, input)),
  restoreVersion: writing
    .input(restoreNoteVersionSchema)
    .output(noteSchema)
    .mutation(({ ctx, input }) => restoreNoteVersion(ctx.scope, input)),
  release: writing
    .input(releaseNoteSchema)
    .output(noteSchema)
    .mutation(({ ctx, input }) => releaseNote(ctx.scope, input)),
});
