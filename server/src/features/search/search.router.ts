import { searchHitsSchema, searchInputSchema } from "@app/shared/search";
import { permitted, router } from "../../core/trpc.ts";
import { search } from "./search.service.ts";

export const searchRouter = router({
  find: permitted("clients.read")
    .input(searchInputSchema)
    .output(searchHitsSchema)
    .query(({ ctx, input }) => search(ctx.scope, input.text)),
});
