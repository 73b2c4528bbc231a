import autocannon from "autocannon";

const CONNECTIONS = 16;
const SECONDS = 2;

/** How many times a second this address answers whoever holds these cookies. */
export async function requestsPerSecond(url: string, cookie: string): Promise<number> {
  const result = await autocannon({ url, connections: CONNECTIONS, duration: SECONDS, headers: { cookie } });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url} answered ${result.non2xx} times with an error`);
  return result.requests.average;
}
