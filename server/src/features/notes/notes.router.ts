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
import { calling, callingById, permitted, router } from "../../core/trpc.ts";
import { releaseNote } from "./note-release.service.ts";
import { restoreNoteVersion } from "./note-restore.service.ts";
import { listNoteVersions } from "./note-versions.service.ts";
import * as notes from "./notes.service.ts";

const reading = permitted("clients.read");
const writing = permitted("clients.read", "clients.write");

export const notesRouter = router({
  list: reading.input(listNotesSchema).output(notePageSchema).query(calling(notes.listNotes)),
  get: reading.input(byIdSchema).output(noteSchema).query(callingById(notes.getNote)),
  create: writing
    .input(createNoteSchema.safeExtend(ofNewThing))
    .output(noteSchema)
    .mutation(creating(notes.createNote, notes.getNote)),
  update: writing.input(updateNoteSchema).output(noteSchema).mutation(calling(notes.updateNote)),
  remove: writing.input(byIdSchema).output(noteSchema).mutation(callingById(notes.removeNote)),
  restore: writing.input(byIdSchema).output(noteSchema).mutation(callingById(notes.restoreNote)),
  listVersions: reading.input(listNoteVersionsSchema).output(noteVersionPageSchema).query(calling(listNoteVersions)),
  restoreVersion: writing.input(restoreNoteVersionSchema).output(noteSchema).mutation(calling(restoreNoteVersion)),
  release: writing.input(releaseNoteSchema).output(noteSchema).mutation(calling(releaseNote)),
});
