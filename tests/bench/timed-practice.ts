import { signIn } from "../../scripts/demo-sign-in.ts";
import { startProduct } from "../../scripts/product-process.ts";

export interface Question {
  call: string;
  input?: unknown;
}

export interface TimedPractice {
  /** Asks, and gives the milliseconds until the whole answer was here. */
  time(question: Question): Promise<number>;
  stop(): Promise<void>;
}

/** The product on the demonstration practice in `dataDir`, with its owner signed in. */
export async function openPractice(dataDir: string): Promise<TimedPractice> {
  const product = await startProduct({ DATA_DIR: dataDir });
  const cookie = (await signIn(product.url)).map(({ name, value }) => `${name}=${value}`).join("; ");
  return {
    time({ call, input }) {
      const query = input === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify(input))}`;
      return timeOf(`${product.url}/trpc/${call}${query}`, { cookie });
    },
    stop: () => product.stop(),
  };
}

/** The milliseconds until the whole answer was here. */
export async function timeOf(url: string, headers: Record<string, string> = {}): Promise<number> {
  const startedAt = performance.now();
  const response = await fetch(url, { headers });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text.slice(0, 300)}`);
  return performance.now() - startedAt;
}
