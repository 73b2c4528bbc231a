import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from "node:http";
import { text } from "node:stream/consumers";

export interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

interface RawRequest {
  method?: string;
  headers?: OutgoingHttpHeaders;
  body?: string | Buffer;
  /** Which address of this machine it comes from. */
  localAddress?: string;
}

/** One request as anybody may write it: `fetch` would refuse or mend half of what the tests need to send. */
export function send(
  url: string,
  { method = "GET", headers = {}, body = "", ...from }: RawRequest = {},
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const length = body.length > 0 || method === "POST" ? { "content-length": Buffer.byteLength(body) } : {};
    const sent = request(url, { method, headers: { ...length, ...headers }, agent: false, ...from }, (response) => {
      // Whoever answers before it has all of a body closes on the rest of it.
      sent.off("error", reject).on("error", () => undefined);
      text(response).then(
        (received) => resolve({ status: response.statusCode ?? 0, headers: response.headers, text: received }),
        reject,
      );
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
