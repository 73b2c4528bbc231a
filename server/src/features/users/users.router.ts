import { colleagueListSchema, profileSchema, updateProfileSchema } from "@app/shared/users";
import { permitted, protectedProcedure, router } from "../../core/trpc.ts";
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
});
