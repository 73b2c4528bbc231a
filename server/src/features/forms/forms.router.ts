import {
  copyFormSchema,
  createFormSchema,
  formListSchema,
  formSchema,
  listFormsSchema,
  publishFormSchema,
  saveFormSchema,
  setFormStatusSchema,
} from "@app/shared/forms";
import { setFormSharingSchema } from "@app/shared/form-sharing";
import { byIdSchema, ofChange, ofNewThing } from "@app/shared/ids";
import { changing, creating } from "../../core/once.ts";
import { calling, callingById, ownerProcedure, permitted, router } from "../../core/trpc.ts";
import * as forms from "./forms.service.ts";

const managing = permitted("forms.manage");

export const formsRouter = router({
  list: managing.input(listFormsSchema).output(formListSchema).query(calling(forms.listForms)),
  get: managing.input(byIdSchema).output(formSchema).query(callingById(forms.getForm)),
  create: managing
    .input(createFormSchema.safeExtend(ofNewThing))
    .output(formSchema)
    .mutation(creating(forms.createForm, forms.getForm)),
  copy: managing
    .input(copyFormSchema.safeExtend(ofNewThing))
    .output(formSchema)
    .mutation(creating(forms.copyForm, forms.getForm)),
  save: managing.input(saveFormSchema).output(formSchema).mutation(calling(forms.saveForm)),
  publish: managing
    .input(publishFormSchema.safeExtend(ofChange))
    .output(formSchema)
    .mutation(changing(forms.publishForm, forms.getForm)),
  setSharing: ownerProcedure.input(setFormSharingSchema).output(formSchema).mutation(calling(forms.setFormSharing)),
  setStatus: managing.input(setFormStatusSchema).output(formSchema).mutation(calling(forms.setFormStatus)),
});
