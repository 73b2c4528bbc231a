import type { ClientCase } from "@app/shared/case-rows";
import type { Scope } from "../../core/trpc.ts";
import { casesOfClients } from "../cases/client-cases.service.ts";
import { nextTasks } from "./tasks.service.ts";

/** What a list of clients shows of each: their case of today, and the task in it that is due first. */
export async function nextOfClients(scope: Scope, clientIds: string[]): Promise<ClientCase[]> {
  const found = await casesOfClients(scope, clientIds);
  const tasks = await nextTasks(
    scope,
    found.map(({ theCase }) => theCase.id),
  );
  return found.map((one) => ({ ...one, task: tasks.get(one.theCase.id) ?? null }));
}
