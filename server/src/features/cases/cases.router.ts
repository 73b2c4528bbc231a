import { z } from "zod";
import { boardSchema } from "@app/shared/board";
import { casePageSchema, listCasesSchema } from "@app/shared/case-rows";
import { byIdSchema } from "@app/shared/ids";
import { calling, callingById, permitted, router } from "../../core/trpc.ts";
import { getShownCase, shownCase, shownCaseSchema } from "./case-shown.service.ts";
import { getBoard } from "./board.service.ts";
import * as cases from "./cases.service.ts";

const reading = permitted("clients.read");

export const casesRouter = router({
  list: reading.input(listCasesSchema).output(casePageSchema).query(calling(cases.listCases)),
  get: reading.input(byIdSchema).output(shownCaseSchema).query(callingById(getShownCase)),
  ofClient: reading
    .input(byIdSchema)
    .output(z.object({ items: z.array(shownCaseSchema) }))
    .query(async ({ ctx: { scope }, input }) => ({
      items: (await cases.listCasesOfClient(scope, input.id)).map((theCase) => shownCase(scope, theCase)),
    })),
  board: reading.output(boardSchema).query(({ ctx }) => getBoard(ctx.scope)),
});
