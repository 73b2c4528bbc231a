// Leads cases of the invented practice to their end: a session was held, and how they ended goes by what it found.
import type { SessionOutcomeCode } from "@app/shared/session-states";
import type { Case } from "@app/shared/cases";
import type { Scope } from "@app/server/core/trpc";
import { getCase } from "@app/server/features/cases/cases.service";
import { demoStateOf } from "./demo-endings.ts";
import { type Led, leading, type Move } from "./demo-leading.ts";

const FOUND = ["agreed_all", "agreed_some", "not_agreed"] as const;
type Found = (typeof FOUND)[number];

/** Ends those of these cases that are to be over, by the steps of somebody at work; gives all of them as they stand then. */
export async function demoEnded(scope: Scope, cases: readonly Case[]): Promise<Case[]> {
  for (const [number, { id, statusSince, children }] of cases.entries()) {
    const led = leading(scope, id);
    const day = statusSince.slice(0, 10);
    const when = { day, hour: 8 + 2 * (number % 5) };
    const found = FOUND[number % FOUND.length] ?? "not_agreed";
    switch (demoStateOf(number)) {
      case "not_proceeding":
        await refuse(led, day);
        break;
      case "terminated":
        await breakDown(led, when, children.length > 0);
        break;
      case "concluded":
        await conclude(led, { when, found, hasChildren: children.length > 0 });
        break;
      case "closed":
        await conclude(led, { when, found, hasChildren: children.length > 0 });
        await led.move("closed");
        break;
      default:
    }
  }
  return Promise.all(cases.map(({ id }) => getCase(scope, id)));
}

async function refuse(led: Led, day: string): Promise<void> {
  await led.invite(1, day);
  await led.party(1, "refused", "Said no on the phone");
  await led.move("not_proceeding", { reason: "The other participant does not want mediation", ending: "refused" });
}

interface When {
  day: string;
  hour: number;
}

async function breakDown(led: Led, when: When, hasChildren: boolean): Promise<void> {
  await led.holdOn(when, { code: "broken_off", text: "They could not go on about the house" });
  await led.move("terminated", {
    reason: hasChildren ? `No way forward on the house. ${NOT_HEARD}` : "No way forward on the house",
    ending: "broken_down",
    outcome: outcomeOf("not_agreed", hasChildren),
    endedOn: when.day,
  });
}

const NOT_HEARD = "Both parents thought it too early to have the children heard";

const SAID: Record<Found, { code: SessionOutcomeCode; text: string }> = {
  agreed_all: { code: "agreed_all", text: "Both issues settled" },
  agreed_some: { code: "agreed_some", text: "The house settled, the pension open" },
  not_agreed: { code: "not_agreed", text: "They see it too differently" },
};

interface Concluding {
  when: When;
  found: Found;
  hasChildren: boolean;
}

async function conclude(led: Led, { when, found, hasChildren }: Concluding): Promise<void> {
  await led.holdOn(when, SAID[found]);
  const reason = hasChildren ? NOT_HEARD : "";
  await led.move("concluded", { reason, outcome: outcomeOf(found, hasChildren), endedOn: when.day });
}

const RESULTS = {
  agreed_all: ["agreed", "agreed"],
  agreed_some: ["agreed", "not_agreed"],
  not_agreed: ["not_agreed", "not_agreed"],
} as const;

const outcomeOf = (code: Found, hasChildren: boolean): NonNullable<Move["outcome"]> => ({
  code,
  laaCode: "",
  laaReason: "",
  issues: [
    hasChildren
      ? { label: "Holidays", kind: "children", result: RESULTS[code][0] }
      : { label: "The house", kind: "property_finance", result: RESULTS[code][0] },
    { label: "The pension", kind: "property_finance", result: RESULTS[code][1] },
  ],
  isWrittenUp: false,
  documents: [],
  isAdviceTold: true,
  narrative: "",
});
