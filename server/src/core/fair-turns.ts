import { count } from "./giving-way.ts";

interface Limits {
  atOnce: number;
  /** Of one network. */
  ofOne: number;
}

interface Waiting {
  network: string;
  begin: () => void;
}

/** Work that begins at once while little is under way; else whoever has least under way comes first. */
export function fairTurns({ atOnce, ofOne }: Limits) {
  const working = new Map<string, number>();
  const waiting = new Set<Waiting>();
  let all = 0;

  const worksOn = ({ network }: Waiting) => working.get(network) ?? 0;

  function next(): Waiting | undefined {
    let best: Waiting | undefined;
    for (const one of waiting) if (worksOn(one) < ofOne && (!best || worksOn(one) < worksOn(best))) best = one;
    return best;
  }

  function goOn(): void {
    while (all < atOnce) {
      const one = next();
      if (!one) return;
      waiting.delete(one);
      all += 1;
      count(working, one.network, 1);
      one.begin();
    }
  }

  /** Begins in its turn; what is given has to be called at its end, whether it has begun or not. */
  return function take(network: string, begin: () => void): () => void {
    const one = { network, begin };
    waiting.add(one);
    goOn();
    return () => {
      if (waiting.delete(one)) return;
      all -= 1;
      count(working, network, -1);
      goOn();
    };
  };
}
