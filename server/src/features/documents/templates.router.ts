import {
  attendantsSchema,
  attendTextSchema,
  copyTemplateSchema,
  createTemplateSchema,
  getTextVersionSchema,
  listTemplatesSchema,
  listTextVersionsSchema,
  renameTemplateSchema,
  saveTemplateSchema,
  setTemplateStatusSchema,
  templateListSchema,
  templateSchema,
  textVersionListSchema,
  wholeTextVersionSchema,
} from "@app/shared/document-templates";
import { byIdSchema, ofNewThing } from "@app/shared/ids";
import { creating } from "../../core/once.ts";
import { calling, callingById, permitted, router } from "../../core/trpc.ts";
import * as templates from "./templates.service.ts";

const managing = permitted("documents.manage");

export const documentTemplatesRouter = router({
  list: managing.input(listTemplatesSchema).output(templateListSchema).query(calling(templates.listTemplates)),
  get: managing.input(byIdSchema).output(templateSchema).query(callingById(templates.getTemplate)),
  create: managing
    .input(createTemplateSchema.safeExtend(ofNewThing))
    .output(templateSchema)
    .mutation(creating(templates.createTemplate, templates.getTemplate)),
  copy: managing
    .input(copyTemplateSchema.safeExtend(ofNewThing))
    .output(templateSchema)
    .mutation(creating(templates.copyTemplate, templates.getTemplate)),
  save: managing.input(saveTemplateSchema).output(templateSchema).mutation(calling(templates.saveTemplate)),
  rename: managing.input(renameTemplateSchema).output(templateSchema).mutation(calling(templates.renameTemplate)),
  setStatus: managing
    .input(setTemplateStatusSchema)
    .output(templateSchema)
    .mutation(calling(templates.setTemplateStatus)),
  versions: managing
    .input(listTextVersionsSchema)
    .output(textVersionListSchema)
    .query(calling(templates.listTemplateVersions)),
  version: managing
    .input(getTextVersionSchema)
    .output(wholeTextVersionSchema)
    .query(calling(templates.getTemplateVersion)),
  attend: managing.input(attendTextSchema).output(attendantsSchema).mutation(calling(templates.attendTemplate)),
});
