import { z } from "zod";
import {
  acceptInvitationSchema,
  askForPracticeSchema,
  authStatusSchema,
  begunRegistrationSchema,
  byTokenSchema,
  changePasswordSchema,
  confirmPasswordSchema,
  confirmRegistrationSchema,
  deviceSchema,
  disableTwoFactorSchema,
  invitationSchema,
  mailStateSchema,
  recoveryCodesSchema,
  registerResultSchema,
  registerSchema,
  requestPasswordResetSchema,
  resetPasswordSchema,
  signedInSchema,
  signInResultSchema,
  signInSchema,
  twoFactorSetUpSchema,
  verifyTwoFactorSchema,
} from "@app/shared/auth";
import { byIdSchema } from "@app/shared/ids";
import { noInputSchema, protectedProcedure, publicProcedure, recentlyConfirmed, router } from "../../core/trpc.ts";
import { refuseHeadless } from "../mail/headless.service.ts";
import * as auth from "./auth.service.ts";
import { confirmIdentity } from "./confirm-identity.ts";
import { readRegistration } from "./confirm-registration.ts";
import * as devices from "./devices.ts";
import * as invitations from "./invitations.ts";
import * as passwords from "./password-change.ts";
import * as registration from "./registration.ts";
import * as secondFactor from "./second-factor.ts";

/** Whose submission sends a mail. */
const mailingProcedure = publicProcedure.use(({ ctx, next }) => {
  refuseHeadless(ctx);
  return next();
});

const nothing = z.object({});
/** The code only of whoever has a second factor. */
const confirmIdentitySchema = disableTwoFactorSchema.partial({ code: true });

export const authRouter = router({
  status: publicProcedure.output(authStatusSchema).query(({ ctx }) => auth.status(ctx.actor)),
  signIn: publicProcedure
    .input(signInSchema)
    .output(signInResultSchema)
    .mutation(({ ctx, input }) => auth.signIn(ctx, input)),
  signOut: publicProcedure
    .input(noInputSchema)
    .output(nothing)
    .mutation(({ ctx }) => auth.signOut(ctx)),
  verifySecondFactor: publicProcedure
    .input(verifyTwoFactorSchema)
    .output(signedInSchema)
    .mutation(({ ctx, input }) => auth.verifySecondFactor(ctx, input.code)),

  setUp: publicProcedure
    .input(registerSchema)
    .output(nothing)
    .mutation(({ ctx, input }) => registration.setUp(ctx, input)),
  register: mailingProcedure
    .input(askForPracticeSchema)
    .output(registerResultSchema)
    .mutation(({ ctx, input }) => registration.register(ctx, input)),

  registration: publicProcedure
    .input(byTokenSchema)
    .output(begunRegistrationSchema)
    .query(({ ctx, input }) => readRegistration(ctx, input.token)),
  confirmRegistration: publicProcedure
    .input(confirmRegistrationSchema)
    .output(registerResultSchema)
    .mutation(({ ctx, input }) => registration.confirmRegistration(ctx, input)),

  invitation: publicProcedure
    .input(byTokenSchema)
    .output(invitationSchema)
    .query(({ ctx, input }) => invitations.readInvitation(ctx, input.token)),
  acceptInvitation: publicProcedure
    .input(acceptInvitationSchema)
    .output(nothing)
    .mutation(({ ctx, input }) => invitations.acceptInvitation(ctx, input)),

  requestPasswordReset: mailingProcedure
    .input(requestPasswordResetSchema)
    .output(mailStateSchema)
    .mutation(({ ctx, input }) => passwords.requestPasswordReset(ctx, input.email)),
  resetPassword: mailingProcedure
    .input(resetPasswordSchema)
    .output(nothing)
    .mutation(({ ctx, input }) => passwords.resetPassword(ctx, input)),
  changePassword: protectedProcedure
    .input(changePasswordSchema)
    .output(nothing)
    .mutation(({ ctx, input }) => passwords.changePassword(ctx, input)),

  confirmIdentity: protectedProcedure
    .input(confirmIdentitySchema)
    .output(nothing)
    .mutation(({ ctx, input }) => confirmIdentity(ctx, input)),

  // Asked before a download, whose own refusal a browser would store as the file.
  requireConfirmation: protectedProcedure
    .use(recentlyConfirmed)
    .input(noInputSchema)
    .output(nothing)
    .mutation(() => ({})),

  listDevices: protectedProcedure.output(z.array(deviceSchema)).query(({ ctx }) => devices.listDevices(ctx.actor)),
  endDevice: protectedProcedure
    .use(recentlyConfirmed)
    .input(byIdSchema)
    .output(nothing)
    .mutation(({ ctx, input }) => devices.endDevice(ctx, input.id)),
  signOutEverywhere: protectedProcedure
    .use(recentlyConfirmed)
    .input(noInputSchema)
    .output(nothing)
    .mutation(({ ctx }) => devices.signOutEverywhere(ctx)),

  startTwoFactor: protectedProcedure
    .input(confirmPasswordSchema)
    .output(twoFactorSetUpSchema)
    .mutation(({ ctx, input }) => secondFactor.startTwoFactor(ctx, input.password)),
  enableTwoFactor: protectedProcedure
    .use(recentlyConfirmed)
    .input(verifyTwoFactorSchema)
    .output(recoveryCodesSchema)
    .mutation(({ ctx, input }) => secondFactor.enableTwoFactor(ctx, input.code)),
  disableTwoFactor: protectedProcedure
    .input(disableTwoFactorSchema)
    .output(nothing)
    .mutation(({ ctx, input }) => secondFactor.disableTwoFactor(ctx, input)),
});
