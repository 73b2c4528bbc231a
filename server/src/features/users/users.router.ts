import { colleagueListSchema, profileSchema } from "@app/shared/users";
import { permitted, protectedProcedure, router } from "../../core/trpc.ts";
import { getProfile } from "./profiles.service.ts";
import * as users from "./users.service.ts";

export const usersRouter = router({
  profile: protectedProcedure.output(profileSchema).query(({ ctx }) => getProfile(ctx.scope)),
  colleagues: permitted("clients.read")
    .output(colleagueListSchema)
    .query(async ({ ctx }) => ({
      items: (await users.colleagues(ctx.scope.ownerId)).filter(({ isActive }) => isActive),
    })),
});
