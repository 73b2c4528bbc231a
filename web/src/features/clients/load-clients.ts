import type { ListClients } from "@app/shared/clients";
import { apiUtils } from "../../core/api.ts";
import { mayNow } from "../../core/session-state.ts";

/** What the list shows: its rows, then the case and the next task of each. */
export async function loadClients(input: ListClients): Promise<void> {
  if (!mayNow("clients.read")) return;
  const { items } = await apiUtils.clients.list.ensureData(input);
  const clientIds = items.map(({ id }) => id);
  if (clientIds.length > 0) void apiUtils.tasks.nextOfClients.prefetch({ clientIds });
}
