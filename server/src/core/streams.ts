// The event streams that somebody has open: each of their pages opens two, and they rest for good.
import type { ServerResponse } from "node:http";

/** Of one person, in all their pages; whoever opens more loses those that they opened first. */
export const STREAMS_OF_ONE = 40;

const open = new Map<string, Set<ServerResponse>>();

/** Keeps a stream among those of this person, until it ends. */
export function holdStream(userId: string, res: ServerResponse): void {
  const own = open.get(userId) ?? new Set<ServerResponse>();
  open.set(userId, own.add(res));
  res.once("close", () => {
    own.delete(res);
    if (own.size === 0 && open.get(userId) === own) open.delete(userId);
  });
  const [oldest] = own;
  // Its page opens another when it sees that this one is gone.
  if (own.size > STREAMS_OF_ONE) oldest?.destroy();
}
