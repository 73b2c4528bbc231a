// Whose mail is read in which thread, where the answers of one server take too long.
import { connectImap } from "@app/server/core/imap-client";
import { CutOffError, LeftAloneError, TooMuchToReadError } from "@app/server/core/imap-thread";
import { startThreads, type Threads } from "@app/server/core/imap-threads";
import { afterEach, describe, expect, test } from "vitest";
import { aHostileImap, type HostileImap, sayMany } from "../support/mail/hostile-imap.ts";

// As long as a line may be, and each takes some tenths of a second.
const HEAVY = `* 1 FETCH (UID 1 FLAGS (${"\\A ".repeat(170_000)}))\r\n`;
const WANTED = { uid: true, headers: ["subject"] };

describe("the threads that read mail", () => {
  const servers: HostileImap[] = [];
  let threads: Threads | undefined;
  afterEach(async () => {
    threads?.end();
    for (const server of servers.splice(0)) await server.close();
  });

  async function connect(of: string, within: Threads, says: Parameters<typeof aHostileImap>[0] = {}) {
    const server = await aHostileImap(says);
    servers.push(server);
    const auth = { user: "x", pass: "x" };
    const place = { host: "127.0.0.1", port: server.port, secure: false, auth, logger: false as const };
    const again = () => connectImap(place, { of, within });
    const client = await again();
    await client.mailboxOpen("INBOX");
    return { client, again };
  }

  const heavy = (count: number): Parameters<typeof aHostileImap>[0] => ({
    FETCH: (tag, socket) => sayMany(socket, [HEAVY], count, `${tag} OK done\r\n`),
  });
  const fetched = (client: Awaited<ReturnType<typeof connectImap>>) => client.fetchAll("1", WANTED, { uid: true });
  const refusalOf = (work: Promise<unknown>) => work.then(() => null).catch((error: unknown) => error);

  test(
    "S74: a thread that an answer holds up, when it is ended, cuts off others once, and then only its own mailbox",
    { timeout: 120_000 },
    async () => {
      threads = startThreads({ lookMs: 10, busyMaxMs: 100 });
      // All that are shared have one of these.
      const names = ["a", "b", "c", "d", "e", "f"];
      const within = threads;
      const others = await Promise.all(names.map((of) => connect(of, within)));
      const loud = await connect("loud", within, heavy(3));
      expect(await refusalOf(fetched(loud.client))).toBeInstanceOf(CutOffError);
      const cut = others.filter(({ client }) => !client.usable);
      expect(cut.length).toBeGreaterThan(0);
      expect(cut.length).toBeLessThan(names.length);
      for (const { client } of cut) expect(await refusalOf(client.noop())).toBeInstanceOf(CutOffError);

      const back = await Promise.all(cut.map(({ again }) => again()));
      const apart = await loud.again();
      await apart.mailboxOpen("INBOX");
      expect(await refusalOf(fetched(apart))).toBeInstanceOf(TooMuchToReadError);
      for (const client of back) await client.noop();
      expect(await refusalOf(loud.again())).toBeInstanceOf(LeftAloneError);
    },
  );

  test(
    "S74: a server whose answers take long all together, when others are read beside it, is read apart, and then not at all",
    { timeout: 180_000 },
    async () => {
      threads = startThreads({ workMaxMs: 1000 });
      const within = threads;
      const others = await Promise.all(["a", "b", "c", "d"].map((of) => connect(of, within)));
      const loud = await connect("loud", within, heavy(60));
      expect(await refusalOf(fetched(loud.client))).toBeInstanceOf(CutOffError);
      const apart = await loud.again();
      await apart.mailboxOpen("INBOX");
      expect(await refusalOf(fetched(apart))).toBeInstanceOf(TooMuchToReadError);
      expect(await refusalOf(loud.again())).toBeInstanceOf(LeftAloneError);
      for (const { client } of others) expect(await fetched(client)).toHaveLength(1);
    },
  );

  test(
    "S74: a server whose answers take long, when each comes over another connection, is cut off all the same",
    { timeout: 180_000 },
    async () => {
      threads = startThreads({ workMaxMs: 1000 });
      const loud = await connect("loud", threads, heavy(2));
      loud.client.close();
      let refused: unknown = null;
      for (let round = 0; round < 20 && refused === null; round += 1) {
        const client = await loud.again();
        await client.mailboxOpen("INBOX");
        refused = await refusalOf(fetched(client));
        client.close();
      }
      expect(refused).toBeInstanceOf(CutOffError);
    },
  );
});
