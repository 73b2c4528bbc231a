import { beforeEach, expect, test, vi } from "vitest";
import { redirectTarget } from "../../web/src/core/redirect-target.ts";
import { accountSearch, pageSearch, signInSearch, staffSearch } from "../../web/src/core/search.ts";
import { checkSession } from "../../web/src/core/session.ts";
import { forgetSession, rememberSession, sessionState, setAccess } from "../../web/src/core/session-state.ts";
import { STATUS } from "./signed-in.ts";

const answers = (result: unknown, status = 200) => new Response(JSON.stringify(result), { status });
const failure = (code: string, httpStatus: number) =>
  answers({ error: { message: "No.", code: -32000, data: { code, httpStatus } } }, httpStatus);

/** The network: each call by its path. */
function serve(replies: Record<string, () => Response>) {
  const calls: string[] = [];
  vi.stubGlobal("fetch", async (url: string) => {
    const path = String(url).split("/trpc/")[1]?.split("?")[0] ?? "";
    calls.push(path);
    return replies[path]?.() ?? failure("NOT_FOUND", 404);
  });
  return calls;
}

beforeEach(() => forgetSession());

test("a check: whoever is signed in, when it was checked a moment ago, is not asked for again", async () => {
  const calls = serve({ "auth.status": () => answers({ result: { data: STATUS } }) });
  await checkSession();
  await checkSession();
  expect(calls).toEqual(["auth.status"]);
  await checkSession({ isFresh: true });
  expect(calls.length).toBe(2);
});

test("a check: that fails, when somebody is signed in, takes their access away and tells support once", async () => {
  const calls = serve({
    "auth.status": () => failure("INTERNAL_SERVER_ERROR", 500),
    "support.reportError": () => answers({ result: { data: { isReported: true } } }),
  });
  rememberSession(STATUS);
  const { user } = await checkSession({ isFresh: true });
  expect(user?.hasAccess).toBe(false);
  expect(sessionState().status?.user?.subscriptionPlan).toBeNull();
  expect(calls).toEqual(["auth.status", "support.reportError"]);
});

test("a check: that fails, when nobody is known to be signed in, is an error of the navigation", async () => {
  serve({ "auth.status": () => failure("INTERNAL_SERVER_ERROR", 500) });
  await expect(checkSession()).rejects.toThrow("No.");
});

test("access: lost and won again, when the practice's subscription changes, shows in the state of the page", () => {
  rememberSession(STATUS);
  setAccess({ hasAccess: false, plan: null });
  expect(sessionState().status?.user?.hasAccess).toBe(false);
  setAccess({ hasAccess: true, plan: "essential" });
  expect(sessionState().status?.user).toMatchObject({ hasAccess: true, subscriptionPlan: "essential" });
});

test.each([
  ["/clients?page=2", "/clients?page=2"],
  ["//evil.example", undefined],
  ["/\\evil.example", undefined],
  ["https://evil.example", undefined],
  ["/\t/evil.example", undefined],
  ["clients", undefined],
  [["/clients"], undefined],
  ["/clients?search=Ma%C3%ABl&page=2", "/clients?search=Ma%C3%ABl&page=2"],
  ["/\t/", undefined],
  ["/\n/evil.example", undefined],
  ["\t//evil.example", undefined],
  ["/\t", undefined],
  ["/\u0000/evil.example", undefined],
  ["/.//evil.example", undefined],
  ["/clients/..//evil.example", undefined],
  ["/%2e//evil.example", undefined],
  ["/clients\\..\\..\\\\evil.example", undefined],
  ["/\u202Eevil", undefined],
  ["/\uD83D", undefined],
  ["//[", undefined],
  ["/\t/[", undefined],
])("a redirect target: %s, when it is read from the address, becomes %s", (text, target) => {
  expect(redirectTarget(text)).toBe(target);
});

test("an address: what makes no sense in it, when it is read, is left out", () => {
  expect(signInSearch({ redirect: "//evil.example" })).toEqual({});
  expect(accountSearch({ tab: "nonsense" })).toEqual({});
  expect(accountSearch({ tab: "devices" })).toEqual({ tab: "devices" });
  expect(pageSearch({ page: "-1" })).toEqual({});
  expect(staffSearch({ invite: "true", person: 7 })).toEqual({ invite: true });
});
