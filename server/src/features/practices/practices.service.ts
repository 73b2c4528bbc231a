import { dayIn } from "@app/shared/days";
import { CERTIFICATES_COUNT_FROM, type Practice, type UpdatePractice } from "@app/shared/practices";
import { type Region, REGIONS } from "@app/shared/regions";
import { mediatorTypeSchema, regionSchema } from "@app/shared/users";
import { TRPCError } from "@trpc/server";
import { now } from "../../core/clock.ts";
import { inTransaction, isDuplicateKey } from "../../core/database.ts";
import { type Dates, datesIn } from "../../core/dates.ts";
import { notFound, stale } from "../../core/errors.ts";
import type { Logger } from "../../core/logger.ts";
import { memoryOf } from "../../core/memory.ts";
import type { Scope } from "../../core/trpc.ts";
import { findIdentityUser, setPracticeRegion } from "../users/users.service.ts";
import { FIRST_PRACTICE_ID, FirstPracticeModel, type PracticeDoc, PracticeModel } from "./practices.model.ts";

export type PracticeSettings = Pick<PracticeDoc, "practice_name" | "time_zone" | "is_two_factor_required">;

/** What every call needs to know of the practice. */
export const findPracticeSettings = (ownerId: string): Promise<PracticeSettings | null> =>
  PracticeModel.findById(ownerId, { practice_name: 1, time_zone: 1, is_two_factor_required: 1 }).lean();

export async function practiceNameOf(ownerId: string): Promise<string> {
  return (await findPracticeSettings(ownerId))?.practice_name ?? "";
}

export async function hasFirstPractice(): Promise<boolean> {
  return (await FirstPracticeModel.exists({ _id: FIRST_PRACTICE_ID })) !== null;
}

export const isSetUpAlready = () =>
  new TRPCError({ code: "NOT_FOUND", message: "This installation is set up already. Sign in instead." });

/** Inside the transaction that makes a practice: of any number of callers at once exactly one gets through. */
export async function claimFirstPractice(): Promise<void> {
  try {
    await FirstPracticeModel.create([{ _id: FIRST_PRACTICE_ID }]);
  } catch (error) {
    if (isDuplicateKey(error)) throw isSetUpAlready();
    throw error;
  }
}

/** Whether this is the practice that was set up first here: whatever is the installation's own is this one's. */
export async function isFirstPractice(ownerId: string): Promise<boolean> {
  const first = await PracticeModel.findOne({}, { _id: 1 }).sort({ created_at: 1, _id: 1 }).lean();
  return first?._id === ownerId;
}

/** The same for practices that need not be the first. */
export async function notePractice(): Promise<void> {
  await FirstPracticeModel.updateOne({ _id: FIRST_PRACTICE_ID }, {}, { upsert: true });
}

export async function insertPractice(practice: {
  ownerId: string;
  practiceName: string;
  region: Region;
}): Promise<void> {
  const { timeZone, currency } = REGIONS[practice.region];
  await PracticeModel.create([
    {
      _id: practice.ownerId,
      practice_name: practice.practiceName,
      time_zone: timeZone,
      currency,
      case_number_prefix: "",
    },
  ]);
}

export async function getPractice(scope: Scope): Promise<Practice> {
  const [doc, owner] = await Promise.all([
    PracticeModel.findOne({ _id: scope.ownerId }).lean(),
    findIdentityUser(scope.ownerId),
  ]);
  if (!doc || !owner) throw notFound("Practice");
  return {
    practiceName: doc.practice_name,
    region: regionSchema.parse(owner.region),
    mediatorType: mediatorTypeSchema.parse(owner.mediator_type),
    timeZone: doc.time_zone,
    currency: doc.currency,
    caseNumberPrefix: doc.case_number_prefix,
    isTwoFactorRequired: doc.is_two_factor_required,
    certificatesCountFrom: countFrom(doc.certificates_count_from),
    holidays: doc.holidays,
    version: doc.version,
  };
}

export async function updatePractice(
  { scope, log }: { scope: Scope; log: Logger },
  input: UpdatePractice,
): Promise<Practice> {
  await inTransaction(async () => {
    const { modifiedCount } = await PracticeModel.updateOne(
      { _id: scope.ownerId, version: input.version },
      {
        $set: {
          practice_name: input.practiceName,
          time_zone: input.timeZone,
          currency: REGIONS[input.region].currency,
          case_number_prefix: input.caseNumberPrefix,
          is_two_factor_required: input.isTwoFactorRequired,
          certificates_count_from: input.certificatesCountFrom,
          ...(input.holidays ? { holidays: input.holidays } : {}),
        },
        $inc: { version: 1 },
      },
    );
    if (modifiedCount === 0) throw stale("practice");
    await setPracticeRegion(scope.ownerId, input);
  });
  log.info({ event: "practice changed", isTwoFactorRequired: input.isTwoFactorRequired }, "audit");
  return getPractice(scope);
}

/** What the numbers of the practice's cases and certificates begin with. */
export async function caseNumberPrefix(ownerId: string): Promise<string> {
  return (await PracticeModel.findById(ownerId, { case_number_prefix: 1 }).lean())?.case_number_prefix ?? "";
}

type CountFrom = Practice["certificatesCountFrom"];

/** A practice of before the choice has none stored. */
const countFrom = (stored: string | undefined): CountFrom =>
  CERTIFICATES_COUNT_FROM.find((known) => known === stored) ?? "attendance";

/** What the practice certifies by: where it mediates, what it is called, and from which day its certificates count. */
export async function certifyingPractice(
  ownerId: string,
): Promise<{ region: Region; serviceName: string; countsFrom: CountFrom }> {
  const [doc, owner] = await Promise.all([
    PracticeModel.findById(ownerId, { practice_name: 1, certificates_count_from: 1 }).lean(),
    findIdentityUser(ownerId),
  ]);
  if (!doc || !owner) throw notFound("Practice");
  return {
    region: regionSchema.parse(owner.region),
    serviceName: doc.practice_name,
    countsFrom: countFrom(doc.certificates_count_from),
  };
}

const timeZones = memoryOf(["settings"], async (ownerId) => (await findPracticeSettings(ownerId))?.time_zone ?? null);

/** In whose days and hours the practice counts. */
export const practiceTimeZone = async (ownerId: string): Promise<string> => (await timeZones.recall(ownerId)) ?? "UTC";

/** The days on which nobody can be booked, save where they say so themselves. */
export async function practiceHolidays(ownerId: string): Promise<string[]> {
  return (await PracticeModel.findById(ownerId, { holidays: 1 }).lean())?.holidays ?? [];
}

/** Where the practice mediates. */
export async function practiceRegion(ownerId: string): Promise<Region> {
  const owner = await findIdentityUser(ownerId);
  return owner ? regionSchema.parse(owner.region) : "other";
}

/** The day (yyyy-mm-dd) that it is in the practice's zone. */
export const practiceToday = async (ownerId: string): Promise<string> => dayIn(await practiceTimeZone(ownerId), now());

/** How dates are written for people: in the practice's zone, as its region writes them. */
export async function practiceDates(ownerId: string): Promise<Dates> {
  const timeZone = await practiceTimeZone(ownerId);
  return datesIn(await practiceRegion(ownerId), timeZone);
}
