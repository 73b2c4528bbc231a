import { parseArgs } from "node:util";
import { answerHelp } from "../../scripts/run-command.ts";
import { ANSWERS, benchAnswers } from "./answers.ts";
import { benchBookingSlots } from "./booking-slots.ts";
import { benchCalendarMonth } from "./calendar-month.ts";
import { benchClientsList } from "./clients-list.ts";
import { benchDocumentsList } from "./documents-list.ts";
import { benchDocumentsOpen } from "./documents-open.ts";
import { benchDocumentsPdf } from "./documents-pdf.ts";
import { benchEmbeddedMongo } from "./embedded-mongo.ts";
import { type Figure, isReached } from "./figure.ts";
import { benchHoldCalls, HOLD_CALLS } from "./hold-calls.ts";
import { benchSlowSockets } from "./hold-sockets.ts";
import { benchHold, HOLD } from "./hold.ts";
import { benchImport, IMPORT } from "./import.ts";
import { benchLeadsList } from "./leads-list.ts";
import { benchLighthouse, LIGHTHOUSE } from "./lighthouse.ts";
import { benchMailBulk } from "./mail-bulk.ts";
import { benchMailFetch } from "./mail-fetch.ts";
import { benchMoney, MONEY } from "./money.ts";
import { benchStart } from "./start.ts";
import { benchSubmit } from "./submit.ts";
import { benchUi, UI } from "./ui.ts";
import { benchWebhooks } from "./webhooks.ts";

answerHelp(`Usage: npm run bench [-- --only=NAME] [--json]
Takes every measurement, most as a ratio to a baseline of the same run, and says whether it reaches its goal.
  --only NAME   that one, or those whose names begin with it
  --json        a line of JSON for each`);

interface Bench {
  /** What its figures are called. */
  names: readonly string[];
  /** Gives at least the figures of these names. */
  measure: (names: readonly string[]) => Promise<Figure[]>;
}
const benches: Bench[] = [
  {
    names:
      "findOneById compoundQuery insertOne findClient page updateOne insertClient findClient32 page32 updateOne32 insertOne32 sortMemory open idleMemory"
        .split(" ")
        .map((name) => `mongo.${name}`),
    measure: benchEmbeddedMongo,
  },
  { names: ["clients.list", "clients.list.scale"], measure: benchClientsList },
  { names: ["leads.list"], measure: benchLeadsList },
  { names: MONEY, measure: benchMoney },
  { names: ["webhooks"], measure: benchWebhooks },
  { names: ["calendar.month"], measure: benchCalendarMonth },
  { names: ["booking.slots"], measure: benchBookingSlots },
  { names: ["forms.submit"], measure: benchSubmit },
  { names: ["documents.pdf60"], measure: benchDocumentsPdf },
  { names: ["documents.list"], measure: benchDocumentsList },
  { names: ["documents.open"], measure: benchDocumentsOpen },
  { names: ANSWERS, measure: benchAnswers },
  { names: UI, measure: benchUi },
  { names: IMPORT, measure: benchImport },
  { names: ["mail.bulk"], measure: benchMailBulk },
  { names: ["mail.fetch"], measure: benchMailFetch },
  { names: ["hold.slowSockets"], measure: benchSlowSockets },
  { names: HOLD, measure: benchHold },
  { names: HOLD_CALLS, measure: benchHoldCalls },
  { names: LIGHTHOUSE, measure: benchLighthouse },
  { names: ["start.warm"], measure: benchStart },
];

const { values } = parseArgs({ options: { only: { type: "string" }, json: { type: "boolean", default: false } } });
const only = values.only ?? "";
const isChosen = (name: string) => !only || name === only || name.startsWith(`${only}.`);
let isKnown = false;
let isShort = false;
for (const { names, measure } of benches) {
  const chosen = names.filter(isChosen);
  if (chosen.length === 0) continue;
  isKnown = true;
  for (const figure of await measure(chosen)) {
    if (!isChosen(figure.name)) continue;
    isShort ||= !isReached(figure);
    console.log(values.json ? JSON.stringify(objectOf(figure)) : lineOf(figure));
  }
}
if (!isKnown) {
  console.error(`There is no measurement ${only}. There are: ${benches.flatMap(({ names }) => names).join(", ")}`);
}
process.exitCode = isShort || !isKnown ? 1 : 0;

function lineOf(figure: Figure): string {
  return `${figure.name} ${Number(figure.value.toPrecision(4))} ${figure.unit} goal ${figure.goal} ${figure.limit} ${isReached(figure) ? "ok" : "SHORT"}`;
}

function objectOf(figure: Figure) {
  return { ...figure, goal: `${figure.goal} ${figure.limit}`, op: figure.goal, ok: isReached(figure) };
}
