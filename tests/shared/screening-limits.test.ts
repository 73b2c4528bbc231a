// What keeps somebody from being found suitable, and which words count as said.
import { CASE_DOMAINS } from "@app/shared/case-transitions";
import {
  assessesRisk,
  concernOf,
  NOT_ALONE,
  NOTHING_ASKED,
  whyHeldAgain,
  whyNotSuitable,
} from "@app/shared/screening-limits";
import { questionsOf, toolFor, toolOfVersion } from "@app/shared/screening-tools";
import { type CompleteScreening, completeScreeningSchema } from "@app/shared/screenings";
import { describe, expect, test } from "vitest";
import { aScreening, NOT_SAFE, told, withMeasures } from "../support/server/screened.ts";

const CORE = [
  "overheard",
  "unsafe_now",
  "physical",
  "sexual",
  "emotional",
  "economic",
  "control",
  "since",
  "child_harm",
  "fear",
];
const NOT_ASKED = { answer: "not_asked", words: "We ran out of time" } as const;

/** What is refused of a screening with these changes, as path and message. */
function refusedOf(domain: "family" | "workplace" | "civil", change: Partial<CompleteScreening>): string[][] {
  const { id: _id, ...screening } = aScreening({ id: "c", domain }, "p", change);
  const { error } = completeScreeningSchema.safeParse(screening);
  return (error?.issues ?? []).map(({ path, message }) => [path.join("."), message]);
}

function withAnswers(domain: "family" | "workplace" | "civil", answers: CompleteScreening["answers"]) {
  return { answers: { ...aScreening({ id: "c", domain }, "p").answers, ...answers } };
}

test.each([...CORE, "weapons", "power", "child_taken", "police", "orders", "capacity", "mental_health"])(
  "whyNotSuitable: where %s was not asked, says so, and nothing once it was",
  (id) => {
    expect(whyNotSuitable({ company: "nobody", answers: { [id]: NOT_ASKED } })).toEqual([
      expect.stringMatching(/^You have not asked about .+\.$/),
    ]);
    for (const answer of ["no", ...(id === "overheard" || id === "unsafe_now" ? [] : ["yes", "not_sure"])])
      expect(whyNotSuitable({ company: "nobody", answers: { [id]: { answer } } })).toEqual([]);
  },
);

test("whyNotSuitable: where several were not asked, names each of them once", () => {
  const answers = { weapons: NOT_ASKED, fear: NOT_ASKED, physical: NOT_ASKED, language: NOT_ASKED };
  expect(whyNotSuitable({ company: "nobody", answers })).toEqual([
    "You have not asked about physical harm or threats, weapons and fear.",
  ]);
});

test.each(["overheard", "unsafe_now"])(
  "whyHeldAgain: %s, where it was so or may have been, asks for it to be held again",
  (id) => {
    for (const answer of ["yes", "not_sure"] as const) {
      expect(whyHeldAgain(id, answer)).toContain("hold the screening again");
      expect(whyNotSuitable({ company: "nobody", answers: { [id]: { answer } } })).toEqual([whyHeldAgain(id, answer)]);
      for (const found of [{}, withMeasures("shuttle")]) {
        const change = { ...withAnswers("family", { [id]: { answer, words: "Their mother came in" } }), ...found };
        expect(refusedOf("family", change)).toEqual([
          ["suitable", `Nobody can be found suitable yet. ${whyHeldAgain(id, answer)}`],
        ]);
        expect(refusedOf("family", { ...change, measures: [], ...NOT_SAFE })).toEqual([]);
      }
    }
    for (const answer of ["no", "not_asked", ""]) expect(whyHeldAgain(id, answer)).toBeNull();
    for (const answer of ["yes", "not_sure"]) expect(whyHeldAgain("fear", answer)).toBeNull();
  },
);

test.each(CASE_DOMAINS)("a case of kind %s: every screening asks what nobody is found suitable without", (domain) => {
  const asked = questionsOf(toolFor(domain)).map(({ id }) => id);
  expect(asked).toEqual(expect.arrayContaining([...CORE, "weapons", "power"]));
  // Each by itself, whatever kind of case it is.
  expect(asked).toEqual(expect.arrayContaining(["mental_health", "capacity", "language", "needs", "pressure"]));
  expect(new Set(asked).size).toBe(asked.length);
});

test("the questions of general cases: of the version of before, are asked nowhere and stay to be read as they were", () => {
  const before = toolOfVersion("2026-11-general");
  expect(before?.domains).toEqual([]);
  expect(before && questionsOf(before)).toHaveLength(17);
  expect(before && questionsOf(before)).toContainEqual({
    id: "needs",
    text: "Do you need another language, breaks, a supporter, easy access or help with reading?",
  });
});

test.each<[string, Partial<CompleteScreening>]>([
  ["suitable", {}],
  ["suitable with measures", withMeasures("shuttle")],
])("a screening: found %s though weapons were not spoken of, is refused at the finding", (_found, found) => {
  const change = { ...withAnswers("family", { weapons: NOT_ASKED }), ...found };
  expect(refusedOf("family", change)).toEqual([
    ["suitable", "Nobody can be found suitable yet. You have not asked about weapons."],
  ]);
});

test("a screening: found not safe, or with another question left out, is taken with what was not asked", () => {
  expect(refusedOf("family", { ...withAnswers("family", { weapons: NOT_ASKED }), ...NOT_SAFE })).toEqual([]);
  expect(refusedOf("family", withAnswers("family", { language: NOT_ASKED }))).toEqual([]);
});

test("a screening: of somebody who had somebody else with them, is refused at the finding, unless they are found not safe", () => {
  expect(whyNotSuitable({ company: "other", answers: {} })).toEqual([NOT_ALONE]);
  expect(whyNotSuitable({ company: "", answers: {} })).toEqual([]);
  const said = [["suitable", `Nobody can be found suitable yet. ${NOT_ALONE}`]];
  expect(refusedOf("family", { company: "other" })).toEqual(said);
  expect(refusedOf("family", { company: "other", ...withMeasures("shuttle") })).toEqual(said);
  expect(refusedOf("family", { company: "other", ...NOT_SAFE })).toEqual([]);
});

const nobody = { isConsulted: false, who: "", on: "" };
const somebody = { isConsulted: true, on: "2026-01-05", whyNot: "" };
test.each<[string, Partial<CompleteScreening>, string, string]>([
  ["reasons", { reasons: "..." }, "reasons", "Say why"],
  ["reasons", { reasons: "1. 2. -" }, "reasons", "Say why"],
  [
    "an answer",
    withAnswers("family", { needs: { answer: "yes", words: "–" } }),
    "answers.needs.words",
    "Write what was said",
  ],
  [
    "why it was not asked",
    withAnswers("family", { needs: { answer: "not_asked", words: "?" } }),
    "answers.needs.words",
    "Say why it was not asked",
  ],
  ["whom", { consulted: { ...somebody, who: "—" } }, "consulted.who", "Say who was consulted"],
  ["why nobody", { consulted: { ...nobody, whyNot: "…" } }, "consulted.whyNot", "Say why nobody was consulted"],
  ["the tool", { score: { name: "-", score: "14", on: "2026-01-05" } }, "score.name", "Name the tool"],
  ["a place", { ...NOT_SAFE, signposted: ["Helpline", "--"] }, "signposted", "Name each place in words"],
  [
    "the agency",
    { ...NOT_SAFE, referral: { agency: ".", on: "2026-01-05", reference: "" } },
    "referral.agency",
    "Name the agency",
  ],
])("a screening: where %s is written without a letter, it is refused there", (_what, change, path, message) => {
  expect(refusedOf("family", change)).toEqual([[path, message]]);
});

test("a screening: reasons in another script are words", () => {
  expect(refusedOf("family", { reasons: "没有问题" })).toEqual([]);
});

const somebodySaw = { consulted: { ...somebody, who: "Ruth Amsel" } };
const NEITHER = { whyNeither: "They never meet, and she decides freely" };
const ANSWERED_BY = "Say in a sentence why that is safe all the same";
const isRisk = ({ id }: { id: string }) => RISKS.includes(id);

/** All that a screening asks of safety; what is not here is arranged for, and endangers nobody. */
const RISKS = [
  ...CORE.filter((id) => id !== "overheard" && id !== "unsafe_now"),
  "child_taken",
  "childrens_services",
  "police",
  "orders",
  "weapons",
  "substances",
  "mental_health",
  "capacity",
  "dependency",
  "power",
  "pressure",
];

describe.each(["yes", "not_sure"] as const)("a risk that is answered with %s", (answer) => {
  test.each(questionsOf(toolFor("family")).filter(isRisk))(
    "a screening: with $id found suitable, it asks why that is safe, and for measures, a consultation or why neither",
    ({ id }) => {
      const bare = withAnswers("family", { [id]: { answer, words: "On bail not to contact her" } });
      const field = `answers.${id}.safeBecause`;
      expect(refusedOf("family", { ...bare, reasons: "Nothing suggests otherwise" })).toEqual([
        [field, ANSWERED_BY],
        ["whyNeither", expect.stringMatching(/^They told of .+, or were not sure\. Choose measures, consult/)],
      ]);
      for (const way of [withMeasures("shuttle"), somebodySaw, NEITHER])
        expect(refusedOf("family", { ...bare, ...way })).toEqual([[field, ANSWERED_BY]]);
      const whole = withAnswers("family", { [id]: told("On bail not to contact her", answer) });
      for (const way of [withMeasures("shuttle"), somebodySaw, NEITHER])
        expect(refusedOf("family", { ...whole, ...way })).toEqual([]);
      expect(refusedOf("family", { ...bare, ...NOT_SAFE })).toEqual([]);
    },
  );
});

test.each(CASE_DOMAINS)("a case of kind %s: its questions ask of no risk that is not weighed", (domain) => {
  const asked = questionsOf(toolFor(domain)).map(({ id }) => id);
  const needs = ["contact", "outside", "formal", "together", "language", "needs"];
  expect(asked.filter((id) => !RISKS.includes(id) && !needs.includes(id))).toEqual(["overheard", "unsafe_now"]);
});

test.each(["ok", "All fine", "Ok ok ok ok"])(
  "a screening: a risk that is said to be safe because of “%s”, asks for a sentence, and so does why neither is needed",
  (words) => {
    const fear = (safeBecause: string) => withAnswers("family", { fear: { ...told("Of what he does"), safeBecause } });
    expect(refusedOf("family", { ...fear(words), ...withMeasures("shuttle") })).toEqual([
      ["answers.fear.safeBecause", ANSWERED_BY],
    ]);
    expect(refusedOf("family", { ...fear("她觉得很安全"), whyNeither: words })).toEqual([
      ["whyNeither", expect.stringContaining("fear")],
    ]);
  },
);

test.each<[string, string, "yes" | "not_sure", string]>([
  ["child_harm", "She hides when he shouts", "not_sure", "About harm to children or others (not sure): "],
  ["physical", "He said he would kill her", "yes", "About physical harm or threats: "],
  ["sexual", "Once, before they parted", "yes", "About sexual harm: "],
  ["control", "He reads her messages", "yes", "About control: "],
  ["since", "He waits at her door", "yes", "About what has happened since: "],
  ["child_taken", "He booked one-way tickets", "not_sure", "About a child being taken away (not sure): "],
  ["economic", "He keeps her wages", "yes", "About economic abuse: "],
  ["weapons", "A knife by the door", "not_sure", "About weapons (not sure): "],
  ["mental_health", "Says he will end his life", "yes", "About mental health or ending a life: "],
])("concernOf: %s, “%s”, opens the record in these words", (id, words, answer, before) => {
  const answers = { [id]: told(words, answer) };
  expect(concernOf({ answers, suitable: "yes", reasons: "Safe" })).toBe(before + words);
  expect(concernOf({ answers, suitable: "no", reasons: "Afraid" })).toBe(`Afraid\n\n${before}${words}`);
  expect(concernOf({ answers: { [id]: { answer: "no", words: "" } }, suitable: "yes", reasons: "Safe" })).toBe("");
});

const everything = (answer: "no" | "not_asked", words: string) =>
  Object.fromEntries(questionsOf(toolFor("family")).map(({ id }) => [id, { answer, words }]));

test("a screening: in which nothing was asked, is refused and says to record none, whatever is found", () => {
  const answers = everything("not_asked", "No time");
  expect(refusedOf("family", { answers, ...NOT_SAFE })).toEqual([["suitable", NOTHING_ASKED]]);
  expect(refusedOf("family", { answers: { ...answers, fear: { answer: "no", words: "" } }, ...NOT_SAFE })).toEqual([]);
});

test("assessesRisk: with a risk left out it assesses none, unless what was said was enough to find that it is not safe", () => {
  const whole = everything("no", "");
  expect(assessesRisk({ answers: whole, suitable: "yes" })).toBe(true);
  expect(assessesRisk({ answers: { ...whole, language: NOT_ASKED }, suitable: "yes" })).toBe(true);
  const partly = { ...whole, weapons: NOT_ASKED };
  expect(assessesRisk({ answers: partly, suitable: "no" })).toBe(false);
  expect(assessesRisk({ answers: { ...partly, fear: { answer: "yes" } }, suitable: "no" })).toBe(true);
  expect(assessesRisk({ answers: { afraid: { answer: null } }, suitable: "yes_with_measures" })).toBe(true);
});

test("a screening: one sentence for every risk that was told, with nobody consulted and no measures, is refused at each but the first, and so is the same as why neither", () => {
  const answers = { ...withAnswers("family", { physical: told("He hit me"), fear: told("Of him") }).answers };
  const all = { answers, ...NEITHER };
  expect(refusedOf("family", all)).toEqual([
    ["answers.fear.safeBecause", expect.stringMatching(/^The same is written of everything they told of/)],
  ]);
  for (const way of [withMeasures("shuttle"), somebodySaw]) expect(refusedOf("family", { ...all, ...way })).toEqual([]);
  const apart = { ...answers, fear: { ...told("Of him"), safeBecause: "She says that it is gone by now" } };
  expect(refusedOf("family", { ...all, answers: apart })).toEqual([]);
  expect(refusedOf("family", { answers: apart, whyNeither: "She says that it is gone by now!" })).toEqual([
    ["whyNeither", expect.stringMatching(/^They told of/)],
  ]);
});
