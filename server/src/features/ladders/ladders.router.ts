import {
  askRungWordsSchema,
  ladderListSchema,
  ladderSchema,
  rungWordsSchema,
  updateLadderSchema,
} from "@app/shared/ladders";
import { ownerProcedure, permitted, router } from "../../core/trpc.ts";
import * as ladders from "./ladders.service.ts";

export const laddersRouter = router({
  list: permitted("clients.read")
    .output(ladderListSchema)
    .query(({ ctx }) => ladders.listLadders(ctx.scope)),
  words: permitted("clients.read")
    .input(askRungWordsSchema)
    .output(rungWordsSchema)
    .query(({ ctx, input }) => ladders.rungWords(ctx.scope, input)),
  update: ownerProcedure
    .input(updateLadderSchema)
    .output(ladderSchema)
    .mutation(({ ctx, input }) => ladders.updateLadder(ctx.scope, input)),
});
