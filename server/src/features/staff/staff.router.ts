import { byIdSchema, ofNewThing } from "@app/shared/ids";
import {
  confirmAccreditationSchema,
  inviteResultSchema,
  inviteStaffSchema,
  staffListSchema,
  staffUserSchema,
  updateStaffSchema,
} from "@app/shared/users";
import { ownerProcedure, recentlyConfirmed, router } from "../../core/trpc.ts";
import { listStaff } from "../users/staff-records.service.ts";
import * as staff from "./staff.service.ts";

export const staffRouter = router({
  list: ownerProcedure.output(staffListSchema).query(({ ctx }) => listStaff(ctx.scope)),
  invite: ownerProcedure
    .use(recentlyConfirmed)
    .input(inviteStaffSchema.safeExtend(ofNewThing))
    .output(inviteResultSchema)
    .mutation(({ ctx, input }) => staff.inviteStaff(ctx, input)),
  update: ownerProcedure
    .use(recentlyConfirmed)
    .input(updateStaffSchema)
    .output(staffUserSchema)
    .mutation(({ ctx, input }) => staff.updateStaff(ctx, input)),
  confirmAccreditation: ownerProcedure
    .use(recentlyConfirmed)
    .input(confirmAccreditationSchema)
    .output(staffUserSchema)
    .mutation(({ ctx, input }) => staff.confirmAccreditation(ctx, input)),
  suspend: ownerProcedure
    .input(byIdSchema)
    .output(staffUserSchema)
    .mutation(({ ctx, input }) => staff.suspendStaff(ctx, input.id)),
  reactivate: ownerProcedure
    .use(recentlyConfirmed)
    .input(byIdSchema)
    .output(staffUserSchema)
    .mutation(({ ctx, input }) => staff.reactivateStaff(ctx, input.id)),
  removeInvitation: ownerProcedure
    .input(byIdSchema)
    .output(staffListSchema)
    .mutation(({ ctx, input }) => staff.removeInvitation(ctx, input.id)),
});
