import { z } from "zod";
import {
  clientPageSchema,
  clientSchema,
  createClientSchema,
  listClientsSchema,
  setClientStatusSchema,
  updateClientSchema,
} from "@app/shared/clients";
import { byIdSchema, ofNewThing } from "@app/shared/ids";
import { creating } from "../../core/once.ts";
import { permitted, router } from "../../core/trpc.ts";
import * as clients from "./clients.service.ts";

export const clientsRouter = router({
  list: permitted("clients.read")
    .input(listClientsSchema)
    .output(clientPageSchema)
    .query(({ ctx, input }) => clients.listClients(ctx.scope, input)),
  get: permitted("clients.read")
    .input(byIdSchema)
    .output(clientSchema)
    .query(({ ctx, input }) => clients.getClient(ctx.scope, input.id)),
  create: permitted("clients.read", "clients.write")
    .input(createClientSchema.safeExtend(ofNewThing))
    .output(clientSchema)
    .mutation(creating(clients.createClient, clients.getClient)),
  update: permitted("clients.read", "clients.write")
    .input(updateClientSchema)
    .output(clientSchema)
    .mutation(({ ctx, input }) => clients.updateClient(ctx.scope, input)),
  setStatus: permitted("clients.read", "clients.write")
    .input(setClientStatusSchema)
    .output(z.object({ changed: z.number().int() }))
    .mutation(({ ctx, input }) => clients.setClientStatus(ctx.scope, input)),
});
