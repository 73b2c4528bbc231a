import {
  counted,
  DiedOverError,
  excuseUnderWay,
  forgetDeaths,
  NotNowError,
  restAfterDeaths,
} from "@app/server/core/deaths";
import { newId } from "@app/server/core/ids";
import mongoose from "mongoose";
import { expect, test } from "vitest";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

forAllTests(startTestApp);

interface Begun {
  _id: string;
  by: string;
  deaths: number;
  restsUntil: Date | null;
  at: Date;
}
const begun = () => mongoose.connection.collection<Begun>("begun_work");
const stored = (_id: string) => begun().findOne({ _id });
/** As a process leaves it that is gone. */
const leave = (_id: string, deaths: number) =>
  begun().updateOne(
    { _id },
    { $set: { by: `${newId()}.${newId()}`, deaths, restsUntil: null, at: new Date() } },
    { upsert: true },
  );
const refused = (place: string) => counted(place, () => Promise.resolve("done")).catch((error: unknown) => error);

test("counted: work that is done, then nothing is kept of it, and it stood in the database before it began", async () => {
  const place = newId();
  const before = await counted(place, () => stored(place));
  expect([before?.deaths, await stored(place)]).toEqual([0, null]);
});

test("counted: work that fails in a process that lives, then no death is counted", async () => {
  const place = newId();
  await expect(counted(place, () => Promise.reject(new Error("unfit")))).rejects.toThrow("unfit");
  expect(await stored(place)).toBeNull();
});

test("counted: a third process died over it, then it is not begun, until somebody has it begun again", async () => {
  const place = newId();
  await leave(place, 1);
  expect(await counted(place, () => stored(place))).toMatchObject({ deaths: 2 });
  await leave(place, 2);
  const error = await refused(place);
  if (!(error instanceof DiedOverError)) throw new Error(`it was begun: ${String(error)}`);
  await forgetDeaths(error);
  expect(await refused(place)).toBe("done");
});

test("counted: some of it was stored before a process died, then the deaths of before do not count", async () => {
  const place = newId();
  await leave(place, 1);
  await counted(place, async (step) => {
    step();
    await expect.poll(() => stored(place)).toMatchObject({ deaths: 0 });
  });
});

test("counted: a process ends as it should in the middle of it, then that is no death", async () => {
  const place = newId();
  await leave(place, 1);
  await counted(place, async () => {
    await excuseUnderWay();
    expect(await stored(place)).toMatchObject({ by: "", deaths: 2 });
  });
  expect(await counted(place, () => stored(place))).toMatchObject({ deaths: 2 });
});

test("counted: a process died over several, then they are begun one after the other, and others beside them", async () => {
  const places = [newId(), newId()];
  for (const place of places) await leave(place, 0);
  let atOnce = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, (atOnce += 1));
    expect(await counted(newId(), () => Promise.resolve("beside"))).toBe("beside");
    atOnce -= 1;
  };
  await Promise.all(places.map((place) => counted(place, work)));
  expect(most).toBe(1);
});

test("restAfterDeaths: what nothing else keeps back, then it rests, and has one more try after a day", async () => {
  const place = newId();
  await leave(place, 2);
  await restAfterDeaths(new DiedOverError(place));
  expect(await refused(place)).toBeInstanceOf(NotNowError);
  await begun().updateOne({ _id: place }, { $set: { restsUntil: new Date(Date.now() - 1000) } });
  expect(await counted(place, () => stored(place))).toMatchObject({ deaths: 2 });
  await leave(place, 2);
  expect(await refused(place)).toBeInstanceOf(DiedOverError);
});
