import { byIdSchema, ofNewThing } from "@app/shared/ids";
import {
  createPriceSchema,
  listPricesSchema,
  pricePageSchema,
  priceSchema,
  setPriceArchivedSchema,
  updatePriceSchema,
} from "@app/shared/prices";
import { z } from "zod";
import { creating } from "../../core/once.ts";
import { calling, callingById, permitted, router } from "../../core/trpc.ts";
import * as prices from "./prices.service.ts";

const readers = permitted("payments.read");
const managers = permitted("payments.read", "payments.manage");

export const pricesRouter = router({
  list: readers.input(listPricesSchema).output(pricePageSchema).query(calling(prices.listPrices)),
  inForce: readers
    .output(z.object({ items: z.array(priceSchema) }))
    .query(({ ctx }) => prices.pricesInForce(ctx.scope)),
  get: readers.input(byIdSchema).output(priceSchema).query(callingById(prices.getPrice)),
  create: managers
    .input(createPriceSchema.safeExtend(ofNewThing))
    .output(priceSchema)
    .mutation(creating(prices.createPrice, prices.getPrice)),
  update: managers.input(updatePriceSchema).output(priceSchema).mutation(calling(prices.updatePrice)),
  setArchived: managers
    .input(setPriceArchivedSchema)
    .output(z.object({ changed: z.number().int() }))
    .mutation(calling(prices.setPriceArchived)),
});
