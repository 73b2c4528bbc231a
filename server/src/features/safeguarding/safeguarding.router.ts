import { byIdSchema, ofChange, ofNewThing } from "@app/shared/ids";
import {
  addedEntrySchema,
  addEntrySchema,
  amendEntrySchema,
  completeEntrySchema,
  dismissEntrySchema,
  entryPageSchema,
  listEntriesSchema,
  listOfRemovedSchema,
  listWordingsSchema,
  officerOfSchema,
  officerSchema,
  reportConcernSchema,
  safeguardingEntrySchema,
  setOfficerSchema,
  wordingPageSchema,
} from "@app/shared/safeguarding";
import { changing, creating } from "../../core/once.ts";
import { ownerProcedure, permitted, recentlyConfirmed, router } from "../../core/trpc.ts";
import * as officer from "./officer.service.ts";
import * as opened from "./opened-entries.service.ts";
import * as safeguarding from "./safeguarding.service.ts";

const reading = permitted("clients.read", "safeguarding.read");
const writing = permitted("clients.read", "clients.write", "safeguarding.read");

export const safeguardingRouter = router({
  list: reading
    .input(listEntriesSchema)
    .output(entryPageSchema)
    .query(({ ctx, input }) => safeguarding.listEntries(ctx, input)),
  listOfRemoved: reading
    .input(listOfRemovedSchema)
    .output(entryPageSchema)
    .query(({ ctx, input }) => safeguarding.listEntriesOfRemoved(ctx, input)),
  listWordings: reading
    .input(listWordingsSchema)
    .output(wordingPageSchema)
    .query(({ ctx, input }) => safeguarding.listWordings(ctx, input)),
  add: writing
    .input(addEntrySchema.safeExtend(ofNewThing))
    .output(addedEntrySchema)
    .mutation(creating(safeguarding.addEntry, safeguarding.getAdded)),
  report: permitted("clients.read", "clients.write")
    .input(reportConcernSchema.safeExtend(ofNewThing))
    .output(byIdSchema)
    .mutation(creating(opened.reportConcern, opened.getReport)),
  amend: writing
    .input(amendEntrySchema.safeExtend(ofChange))
    .output(safeguardingEntrySchema)
    .mutation(changing(safeguarding.amendEntry, safeguarding.getEntry)),
  complete: writing
    .input(completeEntrySchema.safeExtend(ofChange))
    .output(safeguardingEntrySchema)
    .mutation(changing(opened.completeEntry, safeguarding.getEntry)),
  dismiss: writing
    .input(dismissEntrySchema.safeExtend(ofChange))
    .output(safeguardingEntrySchema)
    .mutation(changing(opened.dismissEntry, safeguarding.getEntry)),
  officer: reading
    .input(officerOfSchema)
    .output(officerSchema)
    .query(({ ctx, input }) => officer.getOfficer(ctx.scope, input.caseId)),
  setOfficer: ownerProcedure
    .use(recentlyConfirmed)
    .input(setOfficerSchema)
    .output(officerSchema)
    .mutation(({ ctx, input }) => officer.setOfficer(ctx.scope, input.userId)),
});
