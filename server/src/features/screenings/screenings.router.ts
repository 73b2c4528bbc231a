import {
  completeScreeningSchema,
  listScreeningsSchema,
  screeningListSchema,
  screeningSchema,
} from "@app/shared/screenings";
import { can } from "@app/shared/access";
import { forbidden } from "../../core/errors.ts";
import { permitted, router } from "../../core/trpc.ts";
import * as screenings from "./screenings.service.ts";

export const screeningsRouter = router({
  list: permitted("screening.read")
    .input(listScreeningsSchema)
    .output(screeningListSchema)
    .query(({ ctx, input }) => screenings.listScreenings(ctx, input.caseId)),
  complete: permitted("screening.read")
    .input(completeScreeningSchema)
    .output(screeningSchema)
    .mutation(({ ctx, input }) => {
      if (!can(ctx.scope, "clients.write")) throw forbidden("You may read screenings, not add them.");
      return screenings.completeScreening(ctx.scope, input);
    }),
});
