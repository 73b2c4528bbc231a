import {
  askRungWordsSchema,
  ladderListSchema,
  ladderSchema,
  rungWordsSchema,
  updateLadderSchema,
} from "@app/shared/ladders";
import { calling, ownerProcedure, permitted, router } from "../../core/trpc.ts";
import * as ladders from "./ladders.service.ts";

export const laddersRouter = router({
  list: permitted("clients.read")
    .output(ladderListSchema)
    .query(({ ctx }) => ladders.listLadders(ctx.scope)),
  words: permitted("clients.read").input(askRungWordsSchema).output(rungWordsSchema).query(calling(ladders.rungWords)),
  update: ownerProcedure.input(updateLadderSchema).output(ladderSchema).mutation(calling(ladders.updateLadder)),
});
