import { fairTurns, inTurn } from "@app/server/core/fair-turns";
import { afterEach, expect, test, vi } from "vitest";

afterEach(() => vi.restoreAllMocks());

/** What has begun, in its order; each ends when it is told to. */
function aRun(limits: Parameters<typeof fairTurns>[0]) {
  const take = fairTurns(limits);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    ask: (network: string, name: string) =>
      void ends.set(
        name,
        take({ group: network, one: "" }, () => void begun.push(name)),
      ),
    end: (name: string) => ends.get(name)?.(),
  };
}

test("fairTurns: while one asks for very much, whoever asks for little begins at once or next", () => {
  const { begun, ask, end } = aRun({ atOnce: 4, ofOne: 3 });
  for (let index = 0; index < 100; index += 1) ask("many", `many ${index}`);
  ask("few", "few 0");
  expect(begun).toEqual(["many 0", "many 1", "many 2", "few 0"]);
  ask("other", "other 0");
  end("many 1");
  expect(begun.at(-1)).toBe("other 0");
  end("few 0");
  expect(begun.at(-1)).toBe("many 3");
});

test("fairTurns: whoever goes away before their turn takes nobody's place, and what ends makes room", () => {
  const { begun, ask, end } = aRun({ atOnce: 1, ofOne: 1 });
  for (const name of ["one", "two", "three"]) ask(name, name);
  end("two");
  end("one");
  expect(begun).toEqual(["one", "three"]);
  end("three");
  ask("four", "four");
  expect(begun.at(-1)).toBe("four");
});

test("fairTurns: those who were at work for long lately leave one turn to those who were not, who come first", () => {
  let at = 0;
  vi.spyOn(performance, "now").mockImplementation(() => at);
  const { begun, ask, end } = aRun({ atOnce: 2, ofOne: 2, forLight: { turns: 1, lightMs: 1000 } });
  const burn = (network: string, ms: number) => {
    ask(network, `${network} burns`);
    at += ms;
    end(`${network} burns`);
  };
  burn("most", 5000);
  burn("much", 2000);
  for (const name of ["most 1", "most 2", "much 1"]) ask(name.slice(0, "most".length), name);
  expect(begun.slice(2)).toEqual(["most 1"]);
  ask("new", "new 1");
  ask("new", "new 2");
  expect(begun.slice(2)).toEqual(["most 1", "new 1"]);
  end("most 1");
  expect(begun.at(-1)).toBe("much 1");
  end("new 1");
  expect(begun.at(-1)).toBe("new 2");
  end("new 2");
  expect(begun.at(-1)).toBe("new 2");
  // What was long ago counts no more.
  at += 10 * 60_000;
  ask("most", "most 3");
  expect(begun.at(-1)).toBe("most 2");
});

test("fairTurns: where all that comes is long, whoever was at work for least of late comes first, and nothing stands idle", () => {
  let at = 0;
  vi.spyOn(performance, "now").mockImplementation(() => at);
  const { begun, ask, end } = aRun({ atOnce: 2, ofOne: 1, forLight: { turns: 0, lightMs: Infinity } });
  for (const name of ["most", "much"]) ask(name, `${name} burns`);
  at += 2000;
  end("much burns");
  at += 3000;
  end("most burns");
  for (const network of ["most", "much"]) ask(network, `${network} again`);
  expect(begun.slice(2)).toEqual(["most again", "much again"]);
  for (const network of ["most", "much", "new"]) ask(network, `${network} waits`);
  end("most again");
  expect(begun.at(-1)).toBe("new waits");
  end("new waits");
  end("much again");
  expect(begun.slice(-2)).toEqual(["most waits", "much waits"]);
});

/** The same by practice and person, written "practice/person". */
function aRunOfPeople(limits: Parameters<typeof fairTurns>[0]) {
  const take = fairTurns(limits);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    ask: (who: string, name: string) => {
      const [group = "", one = ""] = who.split("/");
      const end = take({ group, one }, () => void begun.push(name));
      ends.set(name, end);
    },
    end: (name: string) => ends.get(name)?.(),
  };
}

test("fairTurns: many people of one practice, when they all wait, share that practice's turns, and each has theirs", () => {
  const { begun, ask, end } = aRunOfPeople({ atOnce: 1, ofOne: 1 });
  for (const person of ["ann", "bea", "cid"]) for (const n of [1, 2]) ask(`large/${person}`, `${person} ${n}`);
  for (const n of [1, 2]) ask("small/dora", `dora ${n}`);
  for (let at = 0; at < 7; at += 1) end(begun[at] ?? "");
  expect(begun).toEqual(["ann 1", "dora 1", "bea 1", "dora 2", "cid 1", "ann 2", "bea 2", "cid 2"]);
});

test("fairTurns: somebody who asks for much at once, when there is room, has one under way and leaves the rest", () => {
  const { begun, ask } = aRunOfPeople({ atOnce: 2, ofOne: 1 });
  for (const n of [1, 2, 3]) ask("practice/flooding", `flood ${n}`);
  ask("practice/colleague", "colleague");
  expect(begun).toEqual(["flood 1", "colleague"]);
});

test("fairTurns: more than may wait, when they come, are told that the server is busy, and nobody else is", () => {
  const { begun, ask, end } = aRunOfPeople({ atOnce: 1, ofOne: 1, waiting: { inAll: 5, ofGroup: 3, ofOne: 2 } });
  for (const n of [1, 2, 3]) ask("a/one", `one ${n}`);
  expect(() => ask("a/one", "one 4")).toThrow(/still busy/);
  ask("a/two", "two 1");
  expect(() => ask("a/three", "three 1")).toThrow(/still busy/);
  ask("b/four", "four 1");
  ask("c/five", "five 1");
  expect(() => ask("d/six", "six 1")).toThrow(/still busy/);
  for (let at = 0; at < 5; at += 1) end(begun[at] ?? "");
  expect(begun.toSorted()).toEqual(["five 1", "four 1", "one 1", "one 2", "one 3", "two 1"]);
});

test("inTurn: whoever waits, when nobody wants the answer any more, is not begun, and the next is", async () => {
  const take = fairTurns({ atOnce: 1, ofOne: 1 });
  const first = Promise.withResolvers<void>();
  const gone = new AbortController();
  const begun: string[] = [];
  const work = (name: string) => async () => void begun.push(name);
  const one = inTurn(take, { group: "a", one: "" }, () => first.promise);
  const left = inTurn(take, { group: "b", one: "" }, work("left"), gone.signal);
  const next = inTurn(take, { group: "c", one: "" }, work("next"));
  gone.abort();
  await expect(left).rejects.toThrow(/still busy/);
  first.resolve();
  await Promise.all([one, next]);
  expect(begun).toEqual(["next"]);
});
