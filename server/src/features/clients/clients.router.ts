import { z } from "zod";
import {
  clientPageSchema,
  clientSchema,
  confirmContactSchema,
  createClientSchema,
  listClientsSchema,
  setClientStatusSchema,
  updateClientSchema,
} from "@app/shared/clients";
import { byIdSchema, ofNewThing } from "@app/shared/ids";
import { creating } from "../../core/once.ts";
import { calling, callingById, permitted, router } from "../../core/trpc.ts";
import { confirmContact } from "./contact-checks.service.ts";
import * as clients from "./clients.service.ts";

export const clientsRouter = router({
  list: permitted("clients.read").input(listClientsSchema).output(clientPageSchema).query(calling(clients.listClients)),
  get: permitted("clients.read").input(byIdSchema).output(clientSchema).query(callingById(clients.getClient)),
  create: permitted("clients.read", "clients.write")
    .input(createClientSchema.safeExtend(ofNewThing))
    .output(clientSchema)
    .mutation(creating(clients.createClient, clients.getClient)),
  update: permitted("clients.read", "clients.write")
    .input(updateClientSchema)
    .output(clientSchema)
    .mutation(calling(clients.updateClient)),
  confirmContact: permitted("clients.read", "clients.write")
    .input(confirmContactSchema)
    .output(clientSchema)
    .mutation(calling(confirmContact)),
  setStatus: permitted("clients.read", "clients.write")
    .input(setClientStatusSchema)
    .output(z.object({ changed: z.number().int() }))
    .mutation(calling(clients.setClientStatus)),
});
