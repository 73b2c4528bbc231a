import { protectedProcedure, router } from "../../core/trpc.ts";
import { watchAccess } from "./access-stream.ts";

export const accessRouter = router({
  onChange: protectedProcedure.subscription(({ ctx, signal }) => watchAccess(ctx, signal)),
});
