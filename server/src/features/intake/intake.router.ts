import { ofNewThing } from "@app/shared/ids";
import { intakeResultSchema, intakeSchema } from "@app/shared/intake";
import { creating } from "../../core/once.ts";
import { permitted, router } from "../../core/trpc.ts";
import { getIntake, createIntake } from "./intake.service.ts";

export const intakeRouter = router({
  create: permitted("clients.read", "clients.write")
    .input(intakeSchema.safeExtend(ofNewThing))
    .output(intakeResultSchema)
    .mutation(creating(createIntake, getIntake)),
});
