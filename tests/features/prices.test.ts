import { addDays } from "@app/shared/days";
import { describe, expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { aPrice } from "../support/server/invoiced.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { aPractice } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
const TODAY = new Date().toISOString().slice(0, 10);

describe("the price list", () => {
  test("prices.create: a price that was added stands in the list by its code, in the practice's currency", async () => {
    const { prices } = practice.api;
    await prices.create.mutate(aPrice({ code: "session-1", kind: "session", per: "hour" }));
    await prices.create.mutate(aPrice());
    const { items } = await prices.list.query({});
    expect(items).toMatchObject([
      { code: "MIAM", amountMinor: 12_000, currency: "GBP", isInForce: true, isArchived: false, version: 0 },
      { code: "SESSION-1", per: "hour" },
    ]);
  });

  test.each([
    ["a code with a space", { code: "A B" }, "price.code"],
    ["no name", { name: " " }, "price.name"],
    ["less than nothing", { amountMinor: -1 }, "price.amountMinor"],
    ["part of a penny", { amountMinor: 1.5 }, "price.amountMinor"],
    ["more than ten million", { amountMinor: 1_000_000_001 }, "price.amountMinor"],
    ["VAT above the whole", { vatRateBp: 10_001 }, "price.vatRateBp"],
    ["a last day before the first", { validFrom: "2026-02-01", validTo: "2026-01-31" }, "price.validTo"],
  ])("prices.create: %s is answered at the field and stores nothing", async (_what, overrides, field) => {
    const refused = await refusal(practice.api.prices.create.mutate(aPrice(overrides)));
    expect(refused).toMatchObject({ code: "BAD_REQUEST", fields: { [field]: expect.any(String) } });
    expect(await practice.api.prices.list.query({})).toMatchObject({ total: 0 });
  });

  test("prices.setArchived: a code in use is taken until its price is archived, and then again once it comes back", async () => {
    const { prices } = practice.api;
    const { id } = await prices.create.mutate(aPrice());
    const taken = { code: "CONFLICT", fields: { "price.code": expect.stringContaining("archive") } };
    expect(await refusal(prices.create.mutate(aPrice()))).toMatchObject(taken);
    expect(await prices.setArchived.mutate({ ids: [id], isArchived: true })).toEqual({ changed: 1 });
    expect(await prices.setArchived.mutate({ ids: [id], isArchived: true })).toEqual({ changed: 0 });
    await prices.create.mutate(aPrice());
    expect(await refusal(prices.setArchived.mutate({ ids: [id], isArchived: false }))).toMatchObject(taken);
    expect(await prices.list.query({ isArchived: true })).toMatchObject({ items: [{ id, isInForce: false }] });
  });

  test("prices.list: asked for what is in force, it leaves out what begins later or has ended", async () => {
    const { prices } = practice.api;
    await prices.create.mutate(aPrice({ code: "NOW", validFrom: TODAY, validTo: TODAY }));
    await prices.create.mutate(aPrice({ code: "OLD", validTo: addDays(TODAY, -2) }));
    await prices.create.mutate(aPrice({ code: "SOON", validFrom: addDays(TODAY, 2) }));
    const { items } = await prices.list.query({ isInForce: true });
    expect(items.map(({ code }) => code)).toEqual(["NOW"]);
  });

  test("prices.update: of two who edit one version, the second is refused", async () => {
    const { prices } = practice.api;
    const { id, version } = await prices.create.mutate(aPrice());
    const { price } = aPrice({ amountMinor: 13_000 });
    expect(await prices.update.mutate({ id, version, price })).toMatchObject({ amountMinor: 13_000, version: 1 });
    expect(await refusal(prices.update.mutate({ id, version, price }))).toMatchObject({ isStale: true });
  });
});

test("prices.inForce: what is archived, over or yet to come is left out, and all others come at once", async () => {
  const { prices } = practice.api;
  for (let at = 1; at <= 21; at += 1) await prices.create.mutate(aPrice({ code: `P-${String(at).padStart(2, "0")}` }));
  await prices.create.mutate(aPrice({ code: "OVER", validTo: addDays(TODAY, -2) }));
  await prices.create.mutate(aPrice({ code: "LATER", validFrom: addDays(TODAY, 2) }));
  const { id } = await prices.create.mutate(aPrice({ code: "GONE" }));
  await prices.setArchived.mutate({ ids: [id], isArchived: true });
  const { items } = await prices.inForce.query();
  expect(items).toHaveLength(21);
  expect(items.map(({ code }) => code)).toEqual(items.map(({ code }) => code).toSorted());
});
