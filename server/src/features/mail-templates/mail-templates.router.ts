import { byIdSchema, ofNewThing } from "@app/shared/ids";
import {
  createTemplateSchema,
  templateListSchema,
  templateSchema,
  updateTemplateSchema,
} from "@app/shared/mail-templates";
import { creating } from "../../core/once.ts";
import { permitted, router } from "../../core/trpc.ts";
import * as templates from "./mail-templates.service.ts";

export const mailTemplatesRouter = router({
  list: permitted("mail.send")
    .output(templateListSchema)
    .query(({ ctx }) => templates.listTemplates(ctx.scope, ctx.actor.user)),
  get: permitted("mail.send")
    .input(byIdSchema)
    .output(templateSchema)
    .query(({ ctx, input }) => templates.getTemplate(ctx.scope, input.id)),
  create: permitted("mail.send")
    .input(createTemplateSchema.safeExtend(ofNewThing))
    .output(templateSchema)
    .mutation(creating(templates.createTemplate, templates.getTemplate)),
  update: permitted("mail.send")
    .input(updateTemplateSchema)
    .output(templateSchema)
    .mutation(({ ctx, input }) => templates.updateTemplate(ctx.scope, input)),
  remove: permitted("mail.send")
    .input(byIdSchema)
    .output(templateSchema)
    .mutation(({ ctx, input }) => templates.removeTemplate(ctx.scope, input.id)),
  restore: permitted("mail.send")
    .input(byIdSchema)
    .output(templateSchema)
    .mutation(({ ctx, input }) => templates.restoreTemplate(ctx.scope, input.id)),
});
