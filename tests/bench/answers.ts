// What people wait for all day, in a practice of a large size and in one of a tenth of it, both in full use.
import { type Size, withDemos } from "./answers-data.ts";
import { monthView } from "./calendar-month.ts";
import { type Figure, median, percentile } from "./figure.ts";
import { openPractice, type Question, type TimedPractice } from "./timed-practice.ts";

const ROUNDS = 200;
const WARM_UP = 30;
const LIMIT_MS = 100;
const GROWTH_MAX = 1.3;
/** A list of what was searched is sorted by name, so that every match is looked at; there are ten times as many. */
const SORTED_GROWTH_MAX = 2;
/** Beginnings of names, a whole name, two names, a reference and a number: what people type. */
const TYPED = ["oye", "Ellery", "qur", "Farah", "Maya El", "Tobias", "QM-20", "07700 900142", "nan", "O'Dowd"];
/** With one slip or two, and the number as from abroad. */
const MISTYPED = ["Ellrey", "Nandakumra", "Marehsall", "Farha Elery", "Tobais", "+44 7700 900142"];

type Ask = (round: number) => Question;

const asks: Record<string, Ask> = {
  "clients.list": (round) => ({ call: "clients.list", input: { page: 1 + (round % 5) } }),
  "clients.search": (round) => ({ call: "clients.list", input: { search: TYPED[round % TYPED.length] } }),
  search: (round) => ({ call: "search.find", input: { text: TYPED[round % TYPED.length] } }),
  "search.near": (round) => ({ call: "search.find", input: { text: MISTYPED[round % MISTYPED.length] } }),
  "calendar.month": (round) => ({ call: "meetings.month", input: monthView(-6 + (round % 6)) }),
  "forms.answers": (round) => ({ call: "submissions.list", input: { page: 1 + (round % 5) } }),
  dashboard: () => ({ call: "dashboard.get" }),
};
export const ANSWERS = Object.keys(asks).flatMap((name) => [`${name}.p95`, `${name}.growth`]);

/**
 * For each answer: how long 95 of 100 wait at most with 10,000 clients, 5,000 cases and 100,000 meetings; and what it
 * takes there as a multiple of what it takes at a tenth of that.
 */
export async function benchAnswers(names: readonly string[]): Promise<Figure[]> {
  return withDemos(async (dirs) => {
    const products = { large: await openPractice(dirs.large), tenth: await openPractice(dirs.tenth) };
    try {
      const figures: Figure[] = [];
      for (const [name, ask] of Object.entries(asks)) {
        if (names.some((one) => one.startsWith(name))) figures.push(...(await measure(name, ask, products)));
      }
      return figures;
    } finally {
      await products.large.stop();
      await products.tenth.stop();
    }
  });
}

/** Alternates between the sizes, so that both meet the same moments of a busy machine. */
async function measure(name: string, ask: Ask, practices: Record<Size, TimedPractice>): Promise<Figure[]> {
  const times: Record<Size, number[]> = { large: [], tenth: [] };
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    const question = ask(round + WARM_UP);
    const took = { large: await practices.large.time(question), tenth: await practices.tenth.time(question) };
    if (round < 0) continue;
    times.large.push(took.large);
    times.tenth.push(took.tenth);
  }
  return [
    { name: `${name}.p95`, value: percentile(times.large, 0.95), unit: "ms", goal: "<=", limit: LIMIT_MS },
    {
      name: `${name}.growth`,
      value: median(times.large) / median(times.tenth),
      unit: "x a tenth of the data",
      goal: "<=",
      limit: name === "clients.search" ? SORTED_GROWTH_MAX : GROWTH_MAX,
    },
  ];
}
