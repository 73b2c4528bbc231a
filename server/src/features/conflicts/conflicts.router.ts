import {
  caseConflictsSchema,
  conflictHitsSchema,
  decideConflictSchema,
  searchConflictsSchema,
} from "@app/shared/conflicts";
import { byIdSchema, ofNewThing } from "@app/shared/ids";
import { creating } from "../../core/once.ts";
import { calling, callingById, permitted, router } from "../../core/trpc.ts";
import * as conflicts from "./conflicts.service.ts";

export const conflictsRouter = router({
  search: permitted("clients.read", "clients.write")
    .input(searchConflictsSchema)
    .output(conflictHitsSchema)
    .query(calling(conflicts.searchConflicts)),
  ofCase: permitted("clients.read")
    .input(byIdSchema)
    .output(caseConflictsSchema)
    .query(callingById(conflicts.getCaseConflicts)),
  decide: permitted("clients.read", "clients.write")
    .input(decideConflictSchema.safeExtend(ofNewThing))
    .output(caseConflictsSchema)
    .mutation(
      creating(conflicts.decideConflict, (scope, _id, { caseId }) => conflicts.getCaseConflicts(scope, caseId)),
    ),
});
