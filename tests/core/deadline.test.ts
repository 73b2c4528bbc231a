// What happens to an answer that takes longer than anybody waits.
import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createApp } from "@app/server/app";
import { askerOf, inCallTurn } from "@app/server/core/call-turns";
import { createHttpServer } from "@app/server/core/connections";
import { createLogger, type Logger } from "@app/server/core/logger";
import { expect, test, vi } from "vitest";
import { actorOf } from "../support/access/actor.ts";
import { aPractice } from "../support/server/people.ts";
import { send } from "../support/server/raw-http.ts";
import { slowBody } from "../support/server/slow-sockets.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

const app = forAllTests(startTestApp);

test("S75 deadline: a file and a call that wait for their person's turn past the deadline, then both are told so, and the log holds no failure", async () => {
  const person = await aPractice(app);
  const said: unknown[] = [];
  const log = createLogger("silent");
  const note = (logger: Logger) => void vi.spyOn(logger, "error").mockImplementation((...what) => said.push(what));
  note(log);
  log.onChild = note;
  const server = createHttpServer(createApp({ log }), log);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address: AddressInfo | string | null = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  const held = Promise.withResolvers<void>();
  const { user } = await person.api.auth.status.query();
  const asker = askerOf({ actor: actorOf(user?.userId ?? ""), ip: "" });
  const holding = [1, 2].map(() => inCallTurn(asker, () => held.promise));
  const headers = { cookie: person.cookies() };
  const answers = await Promise.all(
    ["/export/clients.csv", "/trpc/clients.list?input=%7B%7D"].map((path) => send(url + path, { headers })),
  );
  expect(answers.map(({ status }) => status)).toEqual([503, 503]);
  for (const { headers: sent, text } of answers)
    expect([sent["retry-after"], text]).toEqual(["10", expect.stringContaining("This took too long.")]);
  held.resolve();
  await Promise.all(holding);
  await sleep(200);
  expect(said).toEqual([]);
  server.closeAllConnections();
  server.close();
}, 30_000);

test("S75 deadline: as many bodies as one network may send stop coming, then after their answers it is served as before", async () => {
  const { origin, host, port } = new URL(app.url);
  const localAddress = "127.0.0.21";
  const start = slowBody(app.url, "/trpc/auth.signIn", { "sec-fetch-site": "same-origin", "content-length": "200" });
  const stalled = Array.from({ length: 31 }, () => connect({ port: Number(port), host: "127.0.0.1", localAddress }));
  const answers = stalled.map((socket) => {
    socket.write(`${start}{`);
    return once(socket, "data");
  });
  for (const [answer] of await Promise.all(answers)) expect(String(answer)).toMatch(/^HTTP\/1\.1 (503|429)/);
  for (const socket of stalled) socket.destroy();
  await sleep(200);
  const headers = { origin, host, "content-type": "application/json" };
  const url = app.url.replace("localhost", "127.0.0.1");
  const body = JSON.stringify({ email: "nobody@example.org", password: "x", isRemembered: false });
  const signIn = { method: "POST", headers, body, localAddress };
  const answer = await Promise.race([send(`${url}/trpc/auth.signIn`, signIn), sleep(5000, null)]);
  expect(answer?.text).toContain("The email address or the password is not right.");
}, 30_000);
