import { profileSchema, updateProfileSchema } from "@app/shared/users";
import { protectedProcedure, recentlyConfirmed, router } from "../../core/trpc.ts";
import { changeProfile } from "./profile.service.ts";

/** One of the calls of `users`, which stands here because it mails. */
export const profileRouter = router({
  updateProfile: protectedProcedure
    .use(recentlyConfirmed)
    .input(updateProfileSchema)
    .output(profileSchema)
    .mutation(({ ctx, input }) => changeProfile(ctx, input)),
});
