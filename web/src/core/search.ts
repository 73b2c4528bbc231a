// What may stand after the question mark of a page. Written by hand: the entry does without zod.
import { redirectTarget } from "./redirect-target.ts";

type Search = Record<string, unknown>;

export const ACCOUNT_TABS = ["practice", "subscription", "devices", "data"] as const;
export type AccountTab = (typeof ACCOUNT_TABS)[number];

export function signInSearch(search: Search): { redirect?: string } {
  const redirect = redirectTarget(search["redirect"]);
  return redirect === undefined ? {} : { redirect };
}

export function tokenSearch(search: Search): { token?: string } {
  const { token } = search;
  return typeof token === "string" && token !== "" ? { token } : {};
}

export function accountSearch(search: Search): { tab?: AccountTab } {
  const tab = ACCOUNT_TABS.find((known) => known === search["tab"]);
  return tab ? { tab } : {};
}

/** Those of these names that hold a text. */
export function textsOf<Name extends string>(search: Search, names: readonly Name[]): Partial<Record<Name, string>> {
  const found: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const text = search[name];
    if (typeof text === "string" && text !== "") found[name] = text;
  }
  return found;
}

export function pageSearch(search: Search): { page?: number } {
  const page = Number(search["page"]);
  return Number.isInteger(page) && page > 1 ? { page } : {};
}

export interface StaffSearch {
  person?: string;
  invite?: boolean;
}

export function staffSearch(search: Search): StaffSearch {
  const { person, invite } = search;
  return {
    ...(typeof person === "string" ? { person } : {}),
    ...(invite === true || invite === "true" ? { invite: true } : {}),
  };
}
