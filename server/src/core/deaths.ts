// Work that is taken up again when a process died over it. It is counted before it is begun: what no process survives
// is set aside, instead of ending each process that takes it up.
import mongoose, { Schema } from "mongoose";
import { DAY_MS, now } from "./clock.ts";
import { isDuplicateKey } from "./database.ts";
import { defineDueTime } from "./due-times.ts";
import { abandonedAmong, type Hold, hold, isOfGoneProcess } from "./holding.ts";

const DEATHS_MAX = 3;
/** What nobody came back to in so long is gone, or was done by other means. */
const KEPT_S = 30 * 24 * 60 * 60;

interface BegunDoc {
  _id: string;
  /** As in `holding.ts`; empty where the process that had begun it ended as it should. */
  by: string;
  /** How many processes died over it, one after the other, and none of them got any of it done. */
  deaths: number;
  /** Where nothing else keeps it from being taken up: until when it rests. */
  restsUntil: Date | null;
  at: Date;
}

const begunSchema = new Schema<BegunDoc>(
  {
    _id: { type: String, required: true },
    by: { type: String, default: "" },
    deaths: { type: Number, required: true },
    restsUntil: { type: Date, default: null },
    at: { type: Date, required: true },
  },
  { collection: "begun_work", versionKey: false },
);
begunSchema.index({ at: 1 }, { expireAfterSeconds: KEPT_S });
begunSchema.index({ restsUntil: 1 });
const BegunModel = mongoose.model("BegunWork", begunSchema);

defineDueTime({
  of: "work that rests, because processes died over it",
  times: ["BegunWork.restsUntil"],
  aheadMs: DAY_MS,
  bringBack: (latest, at) =>
    BegunModel.updateMany({ restsUntil: mongoose.trusted({ $gt: latest }) }, { $set: { restsUntil: at } }),
});

/** So many processes died over it that it is not begun again by itself. */
export class DiedOverError extends Error {
  readonly place: string;
  constructor(place: string) {
    super("The server stopped several times while it worked on this, so it does not go on with it by itself.");
    this.place = place;
  }
}

/** Another works on it at this moment, or it rests: it is nobody's fault, and it is found again. */
export class NotNowError extends Error {}

/** What this process has begun, and not ended yet. */
const underWay = new Set<string>();
let lastSuspect: Promise<unknown> = Promise.resolve();

/** Says that some of the work is stored by now: what ends this process from now on is something else. */
type Step = () => void;

/**
 * Does this work, which others take up where this process dies over it. Throws `DiedOverError` instead, once too many
 * died. Of what others died over this process does one at a time: so it shows which of those they had under way it was.
 */
export async function counted<Result>(place: string, work: (step: Step) => Promise<Result>): Promise<Result> {
  const mine = await hold();
  try {
    if (await claimNew(place, mine)) return await whileUnderWay(mine, () => work(() => undefined));
    return await oneAtATime(async (letOthersGoOn) => {
      const deaths = await claim(place, mine);
      // Another process does the same at this moment: it is counted there.
      if (deaths === null) return work(letOthersGoOn);
      return whileUnderWay(mine, () => work(stepOf({ place, mine, deaths, letOthersGoOn })));
    });
  } finally {
    mine.release();
    // Where it fails it is ours still, and no death.
    await BegunModel.deleteOne({ _id: place, by: mine.by }).catch(() => undefined);
  }
}

async function whileUnderWay<Result>({ by }: Hold, work: () => Promise<Result>): Promise<Result> {
  underWay.add(by);
  try {
    return await work();
  } finally {
    underWay.delete(by);
  }
}

async function oneAtATime<Result>(work: (letOthersGoOn: () => void) => Promise<Result>): Promise<Result> {
  const before = lastSuspect;
  const { promise, resolve } = Promise.withResolvers<void>();
  lastSuspect = promise;
  await before;
  try {
    return await work(resolve);
  } finally {
    resolve();
  }
}

interface Suspect {
  place: string;
  mine: Hold;
  deaths: number;
  letOthersGoOn: () => void;
}

function stepOf({ place, mine: { by }, deaths, letOthersGoOn }: Suspect): Step {
  let isForgiven = deaths === 0;
  return () => {
    letOthersGoOn();
    if (isForgiven) return;
    isForgiven = true;
    // Where it fails, deaths are counted that were none of its own: then it is set aside, and somebody looks at it.
    void BegunModel.updateOne({ _id: place, by }, { $set: { deaths: 0 } }).catch(() => undefined);
  };
}

async function claimNew(place: string, { by }: Hold): Promise<boolean> {
  try {
    await BegunModel.create([{ _id: place, by, deaths: 0, at: now() }]);
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

/** How many died over it before; null where somebody works on it. */
async function claim(place: string, mine: Hold): Promise<number | null> {
  const before = await BegunModel.findById(place).lean();
  if (!before) return claimDone(place, mine);
  const [free] = await abandonedAmong([{ heldBy: before.by }]);
  if (!free) return null;
  if (before.restsUntil && before.restsUntil > now()) throw new NotNowError();
  const died = before.deaths + ((await isOfGoneProcess(before.by)) ? 1 : 0);
  // After its rest it has one more try.
  const deaths = before.restsUntil ? DEATHS_MAX - 1 : died;
  if (deaths >= DEATHS_MAX) throw new DiedOverError(place);
  const { by } = mine;
  const change = { $set: { by, deaths, restsUntil: null, at: now() } };
  const { matchedCount } = await BegunModel.updateOne({ _id: place, by: before.by }, change);
  if (matchedCount === 0) throw new NotNowError();
  return deaths;
}

/** What was done a moment ago is begun anew. */
async function claimDone(place: string, mine: Hold): Promise<number> {
  if (await claimNew(place, mine)) return 0;
  throw new NotNowError();
}

/** It was set aside by now; whoever has it begun again begins to count anew. */
export async function forgetDeaths({ place }: DiedOverError): Promise<void> {
  await BegunModel.deleteOne({ _id: place });
}

/** For what nothing else keeps from being taken up again: it rests, and is then tried once. */
export async function restAfterDeaths({ place }: DiedOverError): Promise<void> {
  const restsUntil = new Date(now().getTime() + DAY_MS);
  await BegunModel.updateOne({ _id: place }, { $set: { restsUntil, by: "", deaths: DEATHS_MAX } });
}

/** What rests, for whoever runs the installation. */
export const countResting = (): Promise<number> =>
  BegunModel.countDocuments({ restsUntil: mongoose.trusted({ $gt: now() }) });

/** This process ends as it should: whatever it leaves in the middle did not end it. */
export async function excuseUnderWay(): Promise<void> {
  if (underWay.size === 0) return;
  await BegunModel.updateMany({ by: mongoose.trusted({ $in: [...underWay] }) }, { $set: { by: "" } });
}
