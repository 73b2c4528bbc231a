import {
  type createPriceSchema,
  type listPricesSchema,
  type Price,
  type pricePageSchema,
  PRICES_MAX,
  type setPriceArchivedSchema,
  type updatePriceSchema,
} from "@app/shared/prices";
import { PAGE_SIZE } from "@app/shared/product";
import mongoose from "mongoose";
import type { z } from "zod";
import { inTransaction, isDuplicateKey } from "../../core/database.ts";
import { notFound, stale, takenField, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { takeTurnOf } from "../../core/turns.ts";
import { getPractice, practiceToday } from "../practices/practices.service.ts";
import { PriceModel, toPrice } from "./prices.model.ts";

const holdsOn = (today: string) => ({
  validFrom: mongoose.trusted({ $lte: today }),
  $or: [{ validTo: "" }, { validTo: mongoose.trusted({ $gte: today }) }],
});
const BY_CODE = { code: 1, _id: 1 } as const;

export async function listPrices(
  { ownerId }: Scope,
  { page, isArchived, isInForce }: z.output<typeof listPricesSchema>,
): Promise<z.infer<typeof pricePageSchema>> {
  const today = await practiceToday(ownerId);
  const filter = { ownerId, isArchived, ...(isInForce ? holdsOn(today) : {}) };
  const [docs, total] = await Promise.all([
    PriceModel.find(filter)
      .sort(BY_CODE)
      .skip((page - 1) * PAGE_SIZE)
      .limit(PAGE_SIZE)
      .lean(),
    PriceModel.countDocuments(filter),
  ]);
  return { items: docs.map((doc) => toPrice(doc, today)), total, isTotalExact: true };
}

/** All of which an invoice of today may be written. */
export async function pricesInForce({ ownerId }: Scope): Promise<{ items: Price[] }> {
  const today = await practiceToday(ownerId);
  const docs = await PriceModel.find({ ownerId, isArchived: false, ...holdsOn(today) })
    .sort(BY_CODE)
    .limit(PRICES_MAX)
    .lean();
  return { items: docs.map((doc) => toPrice(doc, today)) };
}

export async function getPrice({ ownerId }: Scope, id: string): Promise<Price> {
  const doc = await PriceModel.findOne({ ownerId, _id: id }).lean();
  if (!doc) throw notFound("Price");
  return toPrice(doc, await practiceToday(ownerId));
}

export async function createPrice(scope: Scope, { price }: z.output<typeof createPriceSchema>): Promise<Price> {
  const { ownerId, userId, userName } = scope;
  const { currency } = await getPractice(scope);
  return unlessTaken(() =>
    inTransaction(async () => {
      await takeTurnOf(ownerId, "prices");
      if ((await PriceModel.countDocuments({ ownerId, isArchived: false })) >= PRICES_MAX)
        throw wrongState(`There are ${PRICES_MAX} prices already. Archive those that you do not use.`);
      const [doc] = await PriceModel.create([
        { ...price, ownerId, currency, createdBy: userId, updatedByName: userName },
      ]);
      if (!doc) throw new Error("the price that was just stored is missing");
      return getPrice(scope, doc._id);
    }),
  );
}

export async function updatePrice(
  scope: Scope,
  { id, version, price }: z.output<typeof updatePriceSchema>,
): Promise<Price> {
  const { ownerId, userName } = scope;
  const { modifiedCount } = await unlessTaken(() =>
    PriceModel.updateOne(
      { ownerId, _id: id, version },
      { $set: { ...price, updatedByName: userName }, $inc: { version: 1 } },
    ),
  );
  const now = await getPrice(scope, id);
  if (modifiedCount === 0) throw stale("price");
  return now;
}

/** Those that are so already, or are not this practice's, are passed over. */
export async function setPriceArchived(
  { ownerId, userName }: Scope,
  { ids, isArchived }: z.output<typeof setPriceArchivedSchema>,
): Promise<{ changed: number }> {
  const { modifiedCount: changed } = await unlessTaken(() =>
    PriceModel.updateMany(
      { ownerId, _id: mongoose.trusted({ $in: ids }), isArchived: !isArchived },
      { $set: { isArchived, updatedByName: userName }, $inc: { version: 1 } },
    ),
  );
  return { changed };
}

async function unlessTaken<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (isDuplicateKey(error))
      throw takenField("price.code", "Another price in use has this code. Choose another, or archive that one first.");
    throw error;
  }
}
