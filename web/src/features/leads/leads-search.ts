import { LEAD_STATUSES, type LeadStatus } from "@app/shared/lead-states";
import type { ListSearch } from "../../core/list-search.ts";
import { flagOf, listOf, optionOf, pageSearch, searchedFor, textsOf } from "../../core/search.ts";

const SOURCES = ["self", "solicitor", "court", "gp", "charity", "employer", "website", "other"] as const;
const CHANNELS = ["form", "booking", "phone", "email", "in_person", "other"] as const;
const AGES = ["week", "month", "quarter"] as const;

/** What is looked for: what is not said is the default. */
export interface LeadsListSearch extends ListSearch {
  state?: LeadStatus | "all" | "spam";
  source?: (typeof SOURCES)[number];
  channel?: (typeof CHANNELS)[number];
  age?: (typeof AGES)[number];
  sort?: "name" | "createdAt";
}

/** That, how it is shown, and what stands over it. */
export interface LeadsSearch extends LeadsListSearch {
  /** The board where left out. */
  view?: "list";
  /** The lead whose dialog is open. */
  lead?: string;
  /** What is done with the open lead. */
  step?: "edit" | "lose" | "convert" | "erase" | "write";
  /** Somebody is being added. */
  add?: true;
  /** What became of enquiries. */
  report?: true;
  /** The answer that goes out by itself. */
  reply?: true;
}

/** Reads an address that anybody may have typed; what makes no sense is left out. */
export function parseLeadsSearch(raw: Record<string, unknown>): LeadsSearch {
  return {
    ...optionOf(raw, "view", ["list"]),
    ...textsOf(raw, ["lead"]),
    ...optionOf(raw, "step", ["edit", "lose", "convert", "erase", "write"]),
    ...searchedFor(raw),
    ...optionOf(raw, "state", [...LEAD_STATUSES, "all", "spam"]),
    ...optionOf(raw, "source", SOURCES),
    ...optionOf(raw, "channel", CHANNELS),
    ...optionOf(raw, "age", AGES),
    ...optionOf(raw, "sort", ["name", "createdAt"]),
    ...flagOf(raw, "descending"),
    ...pageSearch(raw),
    ...listOf(raw, "hide"),
    ...listOf(raw, "show"),
    ...flagOf(raw, "add"),
    ...flagOf(raw, "report"),
    ...flagOf(raw, "reply"),
  };
}

/** The board or the list, with no dialog over it. */
export function withoutDialog({
  lead: _lead,
  step: _step,
  add: _add,
  report: _report,
  reply: _reply,
  ...place
}: LeadsSearch): LeadsListSearch & Pick<LeadsSearch, "view"> {
  return place;
}

/** What the list is asked for. */
export const listOnly = ({ view: _view, ...list }: ReturnType<typeof withoutDialog>): LeadsListSearch => list;

/** What the board is asked for: it shows every state, whenever it came. */
export const boardInput = ({ search, source, channel }: LeadsListSearch) => ({
  ...(search === undefined ? {} : { search }),
  ...(source === undefined ? {} : { source }),
  ...(channel === undefined ? {} : { channel }),
});
