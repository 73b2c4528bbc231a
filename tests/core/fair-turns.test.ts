import { fairTurns } from "@app/server/core/fair-turns";
import { expect, test } from "vitest";

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
        take(network, () => void begun.push(name)),
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
