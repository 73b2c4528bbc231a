import { newId } from "@app/server/core/ids";
import { aFormInput } from "../server/forms.ts";
import type { Door } from "./door.ts";

/** The procedures of what is filled in. */
export const FORMS_ACCESS: Record<string, Door> = {
  "forms.list": {
    access: "subscribed",
    permission: "forms.manage",
    input: () => ({ page: 1, search: "", isArchived: false }),
    stranger: "own",
  },
  "forms.get": {
    access: "subscribed",
    permission: "forms.manage",
    input: ({ formId }) => ({ id: formId }),
    stranger: "missing",
  },
  "forms.create": {
    access: "subscribed",
    permission: "forms.manage",
    input: () => ({ id: newId(), ...aFormInput() }),
    stranger: "own",
  },
  "forms.copy": {
    access: "subscribed",
    permission: "forms.manage",
    input: ({ formId }) => ({ id: newId(), formId }),
    stranger: "missing",
  },
  "forms.save": {
    access: "subscribed",
    permission: "forms.manage",
    input: ({ formId }) => ({ id: formId, version: 0, name: "Changed", content: aFormInput().content }),
    stranger: "missing",
  },
  "forms.publish": {
    access: "subscribed",
    permission: "forms.manage",
    input: ({ publishableFormId }) => ({ id: publishableFormId, changeId: newId(), version: 0 }),
    stranger: "missing",
  },
  "forms.setSharing": {
    access: "owner",
    input: ({ leadFormId }) => ({ id: leadFormId, embedOrigins: ["https://www.example.org"], redirectUrl: "" }),
    stranger: "missing",
  },
  "forms.setStatus": {
    access: "subscribed",
    permission: "forms.manage",
    input: ({ formId }) => ({ id: formId, isArchived: false }),
    stranger: "missing",
  },
};
