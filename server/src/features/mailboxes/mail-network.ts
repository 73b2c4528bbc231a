// The network as discovery asks it: https pages, names and ports, each only where a public host stands behind the name.
import { request } from "node:https";
import { connect as connectPlain } from "node:net";
import { connect } from "node:tls";
import { askNames, type Asking, orNothing } from "../../core/names.ts";
import { mailDestination, OUTBOUND_TLS, webDestination } from "../../core/outbound.ts";
import type { Network } from "./discovery.ts";

const LIMIT_MS = 2500;
const TEXT_MAX_BYTES = 200_000;
const ENCRYPTED_LATER = [143, 587];

export const mailNetwork: Network = {
  textAt,
  answers,
  async mxOf(domain, asking) {
    const exchanges = await askNames(asking, (resolver) => orNothing(resolver.resolveMx(domain)));
    return exchanges.toSorted((a, b) => a.priority - b.priority).map(({ exchange }) => exchange.toLowerCase());
  },
  async srvOf(name, asking) {
    const places = await askNames(asking, (resolver) => orNothing(resolver.resolveSrv(name)));
    return places
      .toSorted((a, b) => a.priority - b.priority || b.weight - a.weight)
      .map(({ name: host, port }) => ({ host: host.toLowerCase(), port }));
  },
};

/** As long as this step may take, and no longer than somebody waits for it. */
const untilLate = ({ gone }: Asking): AbortSignal =>
  AbortSignal.any([AbortSignal.timeout(LIMIT_MS), ...(gone ? [gone] : [])]);

/** Follows no redirection: where a name leads is checked before it is dialled. */
async function textAt(url: string, asking: Asking): Promise<string | null> {
  const { hostname, pathname, search } = new URL(url);
  const destination = await webDestination(hostname, asking);
  if (!destination) throw new Error(`${hostname} is no public host`);
  return new Promise((resolve, reject) => {
    const asked = request({
      host: destination.address,
      port: destination.port,
      ...OUTBOUND_TLS,
      path: pathname + search,
      headers: { host: hostname, accept: "text/xml, application/xml" },
      ...(destination.servername ? { servername: destination.servername } : {}),
      signal: untilLate(asking),
    });
    asked.once("error", reject);
    asked.once("response", (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.once("error", reject);
      response.on("data", (part: string) => {
        text += part;
        if (text.length > TEXT_MAX_BYTES) asked.destroy(new Error(`${hostname} says too much`));
      });
      response.once("end", () => resolve(response.statusCode === 200 ? text : null));
    });
    asked.end();
  });
}

/** Encrypted with a certificate of its name; a port that encrypts later greets first. */
async function answers(host: string, port: number, asking: Asking): Promise<boolean> {
  const { address, servername } = await mailDestination(host, port, asking);
  const late = untilLate(asking);
  const socket = ENCRYPTED_LATER.includes(port)
    ? connectPlain(port, address)
    : connect({ host: address, port, ...OUTBOUND_TLS, ...(servername ? { servername } : {}) });
  const sign = ENCRYPTED_LATER.includes(port) ? "data" : "secureConnect";
  return new Promise((resolve) => {
    const end = (isThere: boolean) => {
      socket.destroy();
      resolve(isThere);
    };
    late.addEventListener("abort", () => end(false), { once: true });
    socket.once(sign, () => end(true)).once("error", () => end(false));
  });
}
