import { z } from "zod";
import { casesOfClientsSchema, clientCaseSchema } from "@app/shared/case-rows";
import {
  createTaskSchema,
  listTasksSchema,
  setTaskStatusSchema,
  taskPageSchema,
  taskSchema,
  updateTaskSchema,
} from "@app/shared/tasks";
import { byIdSchema, ofNewThing } from "@app/shared/ids";
import { creating } from "../../core/once.ts";
import { calling, callingById, permitted, router } from "../../core/trpc.ts";
import { nextOfClients } from "./client-tasks.ts";
import * as tasks from "./tasks.service.ts";

export const tasksRouter = router({
  list: permitted("clients.read").input(listTasksSchema).output(taskPageSchema).query(calling(tasks.listTasks)),
  get: permitted("clients.read").input(byIdSchema).output(taskSchema).query(callingById(tasks.getTask)),
  nextOfClients: permitted("clients.read")
    .input(casesOfClientsSchema)
    .output(z.object({ items: z.array(clientCaseSchema) }))
    .query(async ({ ctx, input }) => ({ items: await nextOfClients(ctx.scope, input.clientIds) })),
  create: permitted("clients.read", "clients.write")
    .input(createTaskSchema.safeExtend(ofNewThing))
    .output(taskSchema)
    .mutation(creating(tasks.createTask, tasks.getTask)),
  update: permitted("clients.read", "clients.write")
    .input(updateTaskSchema)
    .output(taskSchema)
    .mutation(calling(tasks.updateTask)),
  setStatus: permitted("clients.read", "clients.write")
    .input(setTaskStatusSchema)
    .output(taskSchema)
    .mutation(calling(tasks.setTaskStatus)),
});
