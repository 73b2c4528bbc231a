// What one mediator wrote in a session is replaced only by somebody who had it on the screen.
import { newId } from "@app/server/core/ids";
import type { NextStep, Session, Topic } from "@app/shared/sessions";
import { beforeEach, describe, expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { aCase, aPractice, aStaffUser, type TestPerson } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
const colleague = forAllTests(() => aStaffUser(app, practice, { role: 2 }));
const session = forEachTest(async () => {
  const { theCase } = await aCase(practice);
  return practice.api.sessions.create.mutate({ id: newId(), caseId: theCase.id, meetingId: null });
});

const STALE = { code: "CONFLICT", isStale: true };
const change = () => ({ id: session.id, changeId: newId() });
const stored = () => practice.api.sessions.get.query({ id: session.id });

type Step = Omit<NextStep, "taskId">;
type Person = Pick<TestPerson, "api">;

interface Kept {
  /** Saves this text; in place of that one, where it is named. */
  save: (person: Person, text: string, before?: string | null) => Promise<Session>;
  textsIn: (session: Session) => string[];
}

const outcomeOf = (text: string) => ({ code: "continues" as const, text });
const topicOf = (id: string, topic: string): Topic => ({ id, topic, privilege: "none", minutes: 20, isDone: false });
const stepOf = (id: string, text: string): Step => ({ id, text, partyId: null, dueOn: null });
const naming = <Item>(before: string | null | undefined, itemOf: (text: string) => Item) =>
  before === undefined || before === null ? null : itemOf(before);

const OUTCOME = (): Kept => ({
  save: ({ api }, text, before) =>
    api.sessions.update.mutate({
      ...change(),
      outcome: outcomeOf(text),
      ...(before === undefined ? {} : { outcomeBefore: naming(before, outcomeOf) }),
    }),
  textsIn: ({ outcome }) => (outcome ? [outcome.text] : []),
});

function TOPIC(id = newId()): Kept {
  const of = (text: string) => topicOf(id, text);
  return {
    save: ({ api }, text, before) =>
      api.sessions.saveTopic.mutate({
        ...change(),
        topic: of(text),
        ...(before === undefined ? {} : { before: naming(before, of) }),
      }),
    textsIn: ({ agenda }) => agenda.map(({ topic }) => topic),
  };
}

function STEP(id = newId()): Kept {
  const of = (text: string) => stepOf(id, text);
  return {
    save: ({ api }, text, before) =>
      api.sessions.saveNextStep.mutate({
        ...change(),
        step: of(text),
        ...(before === undefined ? {} : { before: naming(before, of) }),
      }),
    textsIn: ({ nextSteps }) => nextSteps.map(({ text }) => text),
  };
}

describe.each([
  ["sessions.update, the outcome", OUTCOME],
  ["sessions.saveTopic", () => TOPIC()],
  ["sessions.saveNextStep", () => STEP()],
] as const)("%s", (_name, make) => {
  let kept: Kept;
  beforeEach(() => {
    kept = make();
  });

  test("when somebody else wrote it meanwhile, then what names nothing, or what stood there before, is refused and changes nothing", async () => {
    await kept.save(colleague, "Second");
    const before = await stored();
    for (const named of [undefined, null, "First", "Else"])
      expect(await refusal(kept.save(practice, "Third", named))).toMatchObject(STALE);
    expect(await stored()).toEqual(before);
    expect(kept.textsIn(before)).toEqual(["Second"]);
  });

  test("when it names what stands there, then it is replaced", async () => {
    await kept.save(practice, "First");
    await kept.save(colleague, "Second", "First");
    expect(kept.textsIn(await kept.save(practice, "Third", "Second"))).toEqual(["Third"]);
    expect(kept.textsIn(await stored())).toEqual(["Third"]);
  });

  test("when it is what stands there, then that is no conflict, whatever it names", async () => {
    await kept.save(practice, "First");
    for (const named of [undefined, null, "Else", "First"])
      expect(kept.textsIn(await kept.save(colleague, "First", named))).toEqual(["First"]);
  });

  test("when two write at once over the same, then one is kept and the other is told", async () => {
    await kept.save(practice, "First");
    const ends = await Promise.all([
      refusal(kept.save(practice, "Ines", "First")),
      refusal(kept.save(colleague, "Tom", "First")),
    ]);
    expect(ends.map(({ code }) => code).toSorted()).toEqual(["", "CONFLICT"]);
    expect(kept.textsIn(await stored())).toEqual([ends[0].code === "" ? "Ines" : "Tom"]);
  });
});

test.each([
  [
    "sessions.saveTopic: a topic",
    TOPIC,
    (topicId: string) => colleague.api.sessions.removeTopic.mutate({ ...change(), topicId }),
  ],
  [
    "sessions.saveNextStep: a step",
    STEP,
    (stepId: string) => colleague.api.sessions.removeNextStep.mutate({ ...change(), stepId }),
  ],
] as const)(
  "%s that was removed meanwhile, when a late save comes, then it does not come back",
  async (_what, make, remove) => {
    const id = newId();
    const kept = make(id);
    await kept.save(practice, "First");
    await remove(id);
    expect(await refusal(kept.save(practice, "Late", "First"))).toMatchObject(STALE);
    expect(kept.textsIn(await stored())).toEqual([]);
  },
);

test("sessions.update: what is not the outcome, when somebody wrote that meanwhile, then it is saved and the outcome stands", async () => {
  await OUTCOME().save(colleague, "First");
  const saved = await practice.api.sessions.update.mutate({ ...change(), plannedMinutes: 90 });
  expect(saved).toMatchObject({ plannedMinutes: 90, outcome: outcomeOf("First") });
});

test("sessions.saveTopic and saveNextStep: when others add theirs meanwhile, then all stand", async () => {
  for (const make of [TOPIC, STEP]) {
    const [one, other] = [make(), make()];
    await one.save(practice, "First");
    expect(other.textsIn(await other.save(colleague, "Second"))).toEqual(["First", "Second"]);
  }
});
