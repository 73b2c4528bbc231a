// npm run bench [-- --only=NAME] [--json]: every measurement, each a ratio to a bare baseline of the same run.
import { parseArgs } from "node:util";
import { benchClientsList } from "./clients-list.ts";
import { benchEmbeddedMongo } from "./embedded-mongo.ts";
import { type Figure, isReached } from "./figure.ts";
import { benchStart } from "./start.ts";

const benches: Record<string, () => Promise<Figure[]>> = {
  mongo: benchEmbeddedMongo,
  "clients.list": benchClientsList,
  start: benchStart,
};

const { values } = parseArgs({ options: { only: { type: "string" }, json: { type: "boolean", default: false } } });
const chosen = Object.entries(benches).filter(
  ([name]) => !values.only || values.only.startsWith(name) || name.startsWith(values.only),
);
if (chosen.length === 0) {
  console.error(`There is no measurement ${values.only}. There are: ${Object.keys(benches).join(", ")}`);
  process.exit(1);
}
let isShort = false;
for (const [, measure] of chosen) {
  for (const figure of await measure()) {
    if (
      values.only &&
      chosen.length === 1 &&
      values.only.includes(".") &&
      figure.name !== values.only &&
      !figure.name.startsWith(`${values.only}.`)
    )
      continue;
    isShort ||= !isReached(figure);
    console.log(values.json ? JSON.stringify(objectOf(figure)) : lineOf(figure));
  }
}
process.exitCode = isShort ? 1 : 0;

function lineOf(figure: Figure): string {
  return `${figure.name} ${Number(figure.value.toPrecision(4))} ${figure.unit} goal ${figure.goal} ${figure.limit} ${isReached(figure) ? "ok" : "SHORT"}`;
}

function objectOf(figure: Figure) {
  return { ...figure, goal: `${figure.goal} ${figure.limit}`, op: figure.goal, ok: isReached(figure) };
}
