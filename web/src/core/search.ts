// What may stand after the question mark of a page. Written by hand: the entry does without zod.
import { cutText } from "@app/shared/cut-text";
import { redirectTarget } from "./redirect-target.ts";

type Search = Record<string, unknown>;

const SEARCHED_MAX_LENGTH = 100;

export const ACCOUNT_TABS = ["practice", "subscription", "devices", "data"] as const;
export type AccountTab = (typeof ACCOUNT_TABS)[number];

export function signInSearch(search: Search): { redirect?: string } {
  const redirect = redirectTarget(search["redirect"]);
  return redirect === undefined ? {} : { redirect };
}

export const tokenSearch = (search: Search): { token?: string } => textsOf(search, ["token"]);

export interface AccountSearch {
  tab?: AccountTab;
  /** The import that is open, or the kind of one that begins. */
  import?: string;
  page?: number;
}

export const accountSearch = (search: Search): AccountSearch => ({
  ...optionOf(search, "tab", ACCOUNT_TABS),
  ...textsOf(search, ["import"]),
  ...pageSearch(search),
});

export const EMAIL_TABS = ["mailbox", "templates", "mailings", "unsent"] as const;
export type EmailTab = (typeof EMAIL_TABS)[number];

export interface EmailSettingsSearch {
  tab?: EmailTab;
  /** The mailing that is open. */
  mailing?: string;
  page?: number;
}

export const emailSettingsSearch = (search: Search): EmailSettingsSearch => ({
  ...optionOf(search, "tab", EMAIL_TABS),
  ...textsOf(search, ["mailing"]),
  ...pageSearch(search),
});

/** What a mail provider's page hands back. */
export const signInAnswerSearch = (search: Search) => textsOf(search, ["status", "code", "state"]);

/** How somebody comes back from paying: by the secret of their link, or by what the provider calls their visit. */
export const outcomeSearch = (search: Search) => textsOf(search, ["r", "session", "busy"]);
export type OutcomeSearch = ReturnType<typeof outcomeSearch>;

/** Those of these names that hold a text. */
export function textsOf<Name extends string>(search: Search, names: readonly Name[]): Partial<Record<Name, string>> {
  const found: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const text = search[name];
    if (typeof text === "string" && text !== "") found[name] = text;
  }
  return found;
}

/** What somebody searches for; digits alone arrive as a number. */
export function searchedFor({ search }: Search): { search?: string } {
  const isText = typeof search === "number" || (typeof search === "string" && search !== "");
  return isText ? { search: cutText(String(search), SEARCHED_MAX_LENGTH) } : {};
}

/** This name where it holds one of the options. */
export function optionOf<Name extends string, const Option extends string>(
  search: Search,
  name: Name,
  options: readonly Option[],
): Partial<Record<Name, Option>> {
  const found: Partial<Record<Name, Option>> = {};
  const option = options.find((known) => known === search[name]);
  if (option) found[name] = option;
  return found;
}

/** This name where it holds a list. */
export function listOf<Name extends string>(search: Search, name: Name): Partial<Record<Name, string[]>> {
  const found: Partial<Record<Name, string[]>> = {};
  const list = search[name];
  if (Array.isArray(list)) found[name] = list.map(String);
  return found;
}

/** This name where it is set. */
export function flagOf<Name extends string>(search: Search, name: Name): Partial<Record<Name, true>> {
  const found: Partial<Record<Name, true>> = {};
  if (search[name] === true || search[name] === "true") found[name] = true;
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

export const staffSearch = (search: Search): StaffSearch => ({
  ...textsOf(search, ["person"]),
  ...flagOf(search, "invite"),
});
