import { z } from "zod";
import {
  caseContactsSchema,
  contactPageSchema,
  contactSchema,
  createContactSchema,
  linkContactSchema,
  listContactsSchema,
  setContactStatusSchema,
  updateContactSchema,
} from "@app/shared/contacts";
import { byIdSchema, ofChange, ofNewThing } from "@app/shared/ids";
import { changing, creating } from "../../core/once.ts";
import { permitted, router } from "../../core/trpc.ts";
import { contactsOfCase, linkContact, unlinkContact } from "./contact-links.service.ts";
import * as contacts from "./contacts.service.ts";

export const contactsRouter = router({
  list: permitted("clients.read")
    .input(listContactsSchema)
    .output(contactPageSchema)
    .query(({ ctx, input }) => contacts.listContacts(ctx.scope, input)),
  get: permitted("clients.read")
    .input(byIdSchema)
    .output(contactSchema)
    .query(({ ctx, input }) => contacts.getContact(ctx.scope, input.id)),
  ofCase: permitted("clients.read")
    .input(byIdSchema)
    .output(caseContactsSchema)
    .query(async ({ ctx, input }) => ({ items: await contactsOfCase(ctx.scope, input.id) })),
  create: permitted("clients.read", "clients.write")
    .input(createContactSchema.safeExtend(ofNewThing))
    .output(contactSchema)
    .mutation(creating(contacts.createContact, contacts.getContact)),
  update: permitted("clients.read", "clients.write")
    .input(updateContactSchema)
    .output(contactSchema)
    .mutation(({ ctx, input }) => contacts.updateContact(ctx.scope, input)),
  setStatus: permitted("clients.read", "clients.write")
    .input(setContactStatusSchema)
    .output(z.object({ changed: z.number().int() }))
    .mutation(({ ctx, input }) => contacts.setContactStatus(ctx.scope, input)),
  link: permitted("clients.read", "clients.write")
    .input(linkContactSchema.safeExtend(ofChange))
    .output(contactSchema)
    .mutation(changing(linkContact, contacts.getContact)),
  unlink: permitted("clients.read", "clients.write")
    .input(linkContactSchema)
    .output(contactSchema)
    .mutation(({ ctx, input }) => unlinkContact(ctx.scope, input)),
});
