// The provider's own pages, tiny: to pay on, and to open an account on.
import type { ServerResponse } from "node:http";
import { expireOld, type FakeLedger } from "./ledger.ts";
import type { makeHands } from "./hands.ts";

interface Serving {
  ledger: FakeLedger;
  hands: ReturnType<typeof makeHands>;
}

function page(res: ServerResponse, title: string, body: string): void {
  res.setHeader("content-type", "text/html; charset=utf-8");
  res.end(`<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><h1>${title}</h1>${body}</html>`);
}

const button = (action: string, words: string) =>
  `<form method="post" action="${action}"><button>${words}</button></form>`;

function goTo(res: ServerResponse, address: string): void {
  res.statusCode = 303;
  res.setHeader("location", address);
  res.end();
}

/** Whether it was one of these pages. */
export function servePage({ ledger, hands }: Serving, res: ServerResponse, method: string, path: string): boolean {
  const [, kind, id = "", how = ""] = path.split("/");
  if (kind === "pay") return servePaying({ ledger, hands }, res, { method, id, how });
  if (kind === "onboard") return serveOnboarding({ ledger, hands }, res, { method, id, how });
  if (kind !== "portal") return false;
  page(res, "Billing", "");
  return true;
}

interface Asked {
  method: string;
  id: string;
  how: string;
}

function servePaying({ ledger, hands }: Serving, res: ServerResponse, { method, id, how }: Asked): boolean {
  expireOld(ledger);
  const session = ledger.sessions.get(id);
  const success = session?.successUrl.replace("{CHECKOUT_SESSION_ID}", id) ?? "";
  if (!session || (session.status !== "open" && session.mode === "payment")) {
    page(res, session?.status === "complete" ? "You have already paid" : "This page has expired", "");
    return true;
  }
  if (method === "GET" && how === "secure") {
    page(res, "Confirm with your bank", button(`/pay/${id}/pay`, "Complete") + button(`/pay/${id}/decline`, "Fail"));
    return true;
  }
  if (method === "GET") {
    const amount = `<p>${session.description} ${session.amount} ${session.currency}</p>`;
    const ways = [
      ["pay", "Pay"],
      ["decline", "Pay with a card that is declined"],
      ["secure", "Pay with 3-D Secure"],
      ["debit", "Pay by bank debit"],
      ["cancel", "Back"],
    ];
    const words = ways.map(([way, text]) => button(`/pay/${id}/${way ?? ""}`, text ?? "")).join("");
    const declined = ledger.intents.get(session.intent ?? "")?.declined;
    page(res, "Pay", `${amount}${declined ? "<p role=alert>Your card was declined.</p>" : ""}${words}`);
    return true;
  }
  if (how === "cancel") goTo(res, session.cancelUrl);
  else if (how === "secure") goTo(res, `/pay/${id}/secure`);
  else if (how === "decline") {
    hands.decline(id);
    goTo(res, `/pay/${id}`);
  } else {
    if (how === "debit") hands.debit(id);
    else hands.pay(id);
    goTo(res, success);
  }
  return true;
}

function serveOnboarding({ ledger, hands }: Serving, res: ServerResponse, { method, id, how }: Asked): boolean {
  const link = ledger.accounts.get(id)?.links.get(how.replace(/-(finish|later)$/, ""));
  if (!link || link.isUsed) {
    goTo(res, [...(ledger.accounts.get(id)?.links.values() ?? [])][0]?.refreshUrl ?? "/");
    return true;
  }
  if (method === "GET") {
    const at = `/onboard/${id}/${how}`;
    page(res, "Open your account", button(`${at}-finish`, "Finish") + button(`${at}-later`, "Do this later"));
    return true;
  }
  link.isUsed = true;
  if (how.endsWith("-finish")) hands.setCardPayments(id, "active");
  goTo(res, link.returnUrl);
  return true;
}
