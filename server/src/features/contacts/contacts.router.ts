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
import { calling, callingById, permitted, router } from "../../core/trpc.ts";
import { contactsOfCase, linkContact, unlinkContact } from "./contact-links.service.ts";
import * as contacts from "./contacts.service.ts";

export const contactsRouter = router({
  list: permitted("clients.read")
    .input(listContactsSchema)
    .output(contactPageSchema)
    .query(calling(contacts.listContacts)),
  get: permitted("clients.read").input(byIdSchema).output(contactSchema).query(callingById(contacts.getContact)),
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
    .mutation(calling(contacts.updateContact)),
  setStatus: permitted("clients.read", "clients.write")
    .input(setContactStatusSchema)
    .output(z.object({ changed: z.number().int() }))
    .mutation(calling(contacts.setContactStatus)),
  link: permitted("clients.read", "clients.write")
    .input(linkContactSchema.safeExtend(ofChange))
    .output(contactSchema)
    .mutation(changing(linkContact, contacts.getContact)),
  unlink: permitted("clients.read", "clients.write")
    .input(linkContactSchema)
    .output(contactSchema)
    .mutation(calling(unlinkContact)),
});
