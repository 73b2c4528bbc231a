import { byIdSchema, ofNewThing } from "@app/shared/ids";
import {
  colleagueListSchema,
  inviteResultSchema,
  inviteStaffSchema,
  profileSchema,
  staffListSchema,
  staffUserSchema,
  updateProfileSchema,
  updateStaffSchema,
} from "@app/shared/users";
import { ownerProcedure, permitted, protectedProcedure, recentlyConfirmed, router } from "../../core/trpc.ts";
import * as staff from "./staff.service.ts";
import * as users from "./users.service.ts";

export const usersRouter = router({
  profile: protectedProcedure.output(profileSchema).query(({ ctx }) => users.getProfile(ctx.scope)),
  updateProfile: protectedProcedure
    .input(updateProfileSchema)
    .output(profileSchema)
    .mutation(({ ctx, input }) => users.updateProfile(ctx.scope, input)),

  colleagues: permitted("clients.read")
    .output(colleagueListSchema)
    .query(async ({ ctx }) => ({
      items: (await users.colleagues(ctx.scope.ownerId)).filter(({ isActive }) => isActive),
    })),
  list: ownerProcedure.output(staffListSchema).query(({ ctx }) => staff.listStaff(ctx.scope)),
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
