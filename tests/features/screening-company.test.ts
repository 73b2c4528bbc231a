// Who was with somebody while they were screened, and what follows from it.
import { encrypt } from "@app/server/core/crypto";
import { companyOfScreenings } from "@app/server/features/screenings/screenings.migration";
import { questionsOf, toolFor } from "@app/shared/screening-tools";
import { NOT_ALONE } from "@app/shared/screening-limits";
import type { CompleteScreening } from "@app/shared/screenings";
import mongoose from "mongoose";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aCase, aPractice } from "../support/server/people.ts";
import { aScreening, withMeasures } from "../support/server/screened.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
const stored = () => mongoose.connection.collection<{ _id: string; contentEnc: string }>("screenings");

const SUPPORTER = {
  who: "Orla Finch, her domestic abuse advocate",
  whySafe: "She asked for her, and says more with her there",
  isUnconnected: true,
};
const SUPPORTED = { company: "supporter", supporter: SUPPORTER } as const;

async function screenedWith(change: Partial<CompleteScreening>) {
  const { theCase, p1 } = await aCase(practice, {}, { isScreened: false });
  const { api } = practice;
  const refused = await refusal(api.screenings.complete.mutate(aScreening(theCase, p1.partyId, change)));
  const { items } = await api.screenings.list.query({ caseId: theCase.id });
  return { refused, items };
}

test.each<[string, Partial<CompleteScreening>]>([
  ["an interpreter", { company: "interpreter" }],
  ["their advocate", SUPPORTED],
  ["their advocate, and with measures", { ...SUPPORTED, ...withMeasures("support_person") }],
])(
  "screenings.complete: of somebody who had %s with them, they can be found suitable, and it is read who that was",
  async (_who, change) => {
    const { refused, items } = await screenedWith(change);
    expect(refused.code).toBe("");
    expect(items).toMatchObject([{ supporter: null, ...change }]);
    expect(JSON.stringify(await stored().find({}).toArray())).not.toMatch(/Orla Finch|interpreter/);
  },
);

test.each<[string, Partial<CompleteScreening>, Record<string, string>]>([
  [
    "nobody named",
    { company: "supporter" },
    {
      "supporter.who": "Say who it was, and in which role",
      "supporter.whySafe": "Say in a sentence why it is safe to speak in front of them",
      "supporter.isUnconnected":
        "Confirm that they have nothing to do with the other participants, or choose “Somebody else”",
    },
  ],
  [
    "a word for why that is safe",
    { company: "supporter", supporter: { ...SUPPORTER, whySafe: "Fine" } },
    { "supporter.whySafe": "Say in a sentence why it is safe to speak in front of them" },
  ],
  [
    "somebody of the other side",
    { company: "supporter", supporter: { ...SUPPORTER, isUnconnected: false } },
    {
      "supporter.isUnconnected":
        "Confirm that they have nothing to do with the other participants, or choose “Somebody else”",
    },
  ],
  [
    "one who was not there",
    { company: "nobody", supporter: SUPPORTER },
    { company: "Say that a supporter was with them, or leave the supporter out" },
  ],
  ["somebody else", { company: "other" }, { suitable: `Nobody can be found suitable yet. ${NOT_ALONE}` }],
])(
  "screenings.complete: with a supporter who is %s, it is refused at that field and none is kept",
  async (_who, change, fields) => {
    const { refused, items } = await screenedWith(change);
    expect(refused.fields).toEqual(fields);
    expect(items).toEqual([]);
  },
);

test("the questions: whether anybody listens is asked apart from who was with them, and before it was not", () => {
  for (const domain of ["family", "workplace", "civil"] as const)
    expect(questionsOf(toolFor(domain)).find(({ id }) => id === "overheard")?.text).toMatch(
      /^Apart from your interpreter or supporter/,
    );
});

test("companyOfScreenings: of screenings from before, who was alone had nobody with them, who was not somebody else, and the rest reads as it was", async () => {
  const from = await aPractice(app);
  const { theCase, p1 } = await aCase(from, {}, { isScreened: false });
  const { api, ownerId } = from;
  for (let made = 0; made < 4; made += 1) await api.screenings.complete.mutate(aScreening(theCase, p1.partyId));
  const list = async () => (await api.screenings.list.query({ caseId: theCase.id })).items;
  const before = await list();
  const { company: _c, supporter: _s, ...kept } = aScreening(theCase, p1.partyId, { channel: "phone" });
  const { channel, answers, reasons, signposted, referral, consulted, score } = kept;
  const content = { channel, answers, reasons, signposted, referral, consulted, score };
  const old = [{ isAlone: true }, { isAlone: false }, { isAlone: null }, {}];
  for (const [index, { id }] of before.entries()) {
    const contentEnc = encrypt(JSON.stringify({ ...content, ...old[index] }), `screenings:${ownerId}:${id}`);
    await stored().updateOne({ _id: id }, { $set: { contentEnc } });
  }
  for (let runs = 0; runs < 2; runs += 1) await companyOfScreenings();
  expect(await list()).toEqual(
    ["nobody", "other", null, null].map((company, index) => ({ ...before[index], channel: "phone", company })),
  );
});
