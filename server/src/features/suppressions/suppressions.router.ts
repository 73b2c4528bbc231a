import { z } from "zod";
import { byIdSchema, ofNewThing } from "@app/shared/ids";
import {
  addSuppressionSchema,
  listSuppressionsSchema,
  suppressionPageSchema,
  suppressionSchema,
} from "@app/shared/mailings";
import { creating } from "../../core/once.ts";
import { calling, callingById, permitted, router } from "../../core/trpc.ts";
import * as suppressions from "./suppressions.service.ts";

export const suppressionsRouter = router({
  list: permitted("clients.read", "mail.send")
    .input(listSuppressionsSchema)
    .output(suppressionPageSchema)
    .query(calling(suppressions.listSuppressions)),
  add: permitted("clients.read", "mail.send")
    .input(addSuppressionSchema.safeExtend(ofNewThing))
    .output(suppressionSchema)
    .mutation(creating(suppressions.addSuppression, suppressions.getSuppression)),
  remove: permitted("clients.read", "mail.send")
    .input(byIdSchema)
    .output(z.void())
    .mutation(callingById(suppressions.removeSuppression)),
});
