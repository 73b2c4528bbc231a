import { readSettings, SettingsError } from "@app/server/core/settings";
import { expect, test } from "vitest";

test("readSettings: nothing needs to be set", () => {
  expect(readSettings({})).toMatchObject({
    PORT: 3000,
    HOST: "127.0.0.1",
    ALLOW_REGISTRATION: true,
    isDevelopment: false,
  });
});

test("readSettings: an empty value counts as absent", () => {
  expect(readSettings({ PORT: "", MONGODB_URI: "" })).toMatchObject({ PORT: 3000, MONGODB_URI: undefined });
});

test.each([
  ["PORT", "eighty"],
  ["PORT", "70000"],
  ["PUBLIC_URL", "practice.example.org"],
  ["PUBLIC_URL", "https://example.org/path"],
  ["MONGODB_URI", "postgres://x"],
  ["SECRET_KEY", "changeme"],
  ["ALLOW_REGISTRATION", "maybe"],
  ["SUPPORT_EMAIL", "nobody"],
  ["STRIPE_PRICES_PRO", "price_1"],
  ["NODE_ENV", "prod"],
  ["TRUSTED_PROXIES", "10.0.0.0/8, the balancer"],
  ["TRUSTED_PROXIES", "10.0.0.0/33"],
  ["SYSTEM_SMTP_URL", "smtp://"],
  ["SYSTEM_SMTP_URL", "smtp://mail:no-port"],
  ["TIMESTAMP_URL", "timestamp.example.org"],
])("readSettings: %s=%s is refused in one line that names it", (name, value) => {
  expect(() => readSettings({ [name]: value })).toThrow(SettingsError);
  expect(() => readSettings({ [name]: value })).toThrow(new RegExp(`^${name} must[^\\n]+$`));
});

test("readSettings: card payments without a webhook secret are refused, because unsigned payments would be believed", () => {
  expect(() => readSettings({ STRIPE_SECRET_KEY: "sk_test_1" })).toThrow(/^STRIPE_WEBHOOK_SECRET/);
});
