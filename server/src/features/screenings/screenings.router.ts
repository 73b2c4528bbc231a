import {
  completeScreeningSchema,
  confirmScreeningSchema,
  listScreeningsSchema,
  measuresOfCaseSchema,
  screeningListSchema,
  screeningSchema,
  strikeScreeningSchema,
} from "@app/shared/screenings";
import { ofNewThing } from "@app/shared/ids";
import { creating } from "../../core/once.ts";
import { calling, permitted, router } from "../../core/trpc.ts";
import { confirmScreening } from "./screening-confirmations.service.ts";
import { measuresOf } from "./measures-of-case.ts";
import { listScreenings } from "./screening-list.service.ts";
import * as screenings from "./screenings.service.ts";
import { strikeScreening } from "./struck-screenings.service.ts";

export const screeningsRouter = router({
  list: permitted("clients.read", "screening.read")
    .input(listScreeningsSchema)
    .output(screeningListSchema)
    .query(({ ctx, input }) => listScreenings(ctx, input.caseId)),
  measures: permitted("clients.read", "screening.read")
    .input(listScreeningsSchema)
    .output(measuresOfCaseSchema)
    .query(({ ctx, input }) => measuresOf(ctx, input.caseId)),
  complete: permitted("clients.read", "clients.write", "screening.read")
    .input(completeScreeningSchema.safeExtend(ofNewThing))
    .output(screeningSchema)
    .mutation(creating(screenings.completeScreening, screenings.getScreening)),
  confirm: permitted("clients.read", "clients.write", "screening.read")
    .input(confirmScreeningSchema)
    .output(screeningSchema)
    .mutation(calling(confirmScreening)),
  strike: permitted("clients.read", "clients.write", "screening.read")
    .input(strikeScreeningSchema)
    .output(screeningSchema)
    .mutation(calling(strikeScreening)),
});
