// Who is meant by a cell that names a client or a colleague.
import { EMAIL_MAX_LENGTH, foldEmail } from "@app/shared/email-address";
import { displayName } from "@app/shared/clients";
import { foldText } from "@app/shared/text";
import type { Scope } from "../../core/trpc.ts";
import { clientsCalled } from "../clients/clients-import.service.ts";
import { colleagues } from "../users/users.service.ts";
import type { RowReader } from "./row-reader.ts";

export type Found = { id: string } | { problem: string };

const isEmail = (call: string): boolean => call.includes("@");

/** No name is longer than an address may be. */
const CALL_MAX_LENGTH = EMAIL_MAX_LENGTH;
const TOO_LONG_CALL = "This is too long for a name or an email address. Write one of them alone.";
/** Whoever has more names is found by all of them in the order in which they are sorted, or by email address. */
const TURNED_WORDS_MAX = 12;

/** What a cell calls somebody, or several people; none of it is too long to be looked up. */
export function callsIn(reader: RowReader, field: string, { calls, max, what }: Calls): string[] {
  if (calls.length > max) reader.report(field, `Name at most ${max} ${what}.`);
  const known = calls.filter(({ length }) => length <= CALL_MAX_LENGTH);
  if (known.length < calls.length) reader.report(field, TOO_LONG_CALL);
  return known;
}

interface Calls {
  calls: readonly string[];
  max: number;
  /** In the plural. */
  what: string;
}

/** The ways in which a name may be sorted: which of its words are the surname is not known. */
function sortNamesOf(name: string): string[] {
  const [last = "", first] = name.split(",").map(foldText);
  if (first !== undefined) return [`${last} ${first}`];
  const folded = foldText(name);
  const words = folded.split(" ");
  if (words.length > TURNED_WORDS_MAX) return [folded];
  const turned = words.map((_, index) => [...words.slice(index), ...words.slice(0, index)].join(" "));
  return [...new Set(turned)];
}

/** Finds a client by email address or name, out of those that these calls may mean. */
export async function clientFinder(scope: Scope, calls: string[]): Promise<(call: string) => Found> {
  const wanted = [...new Set(calls)];
  const known = await clientsCalled(scope, {
    emails: wanted.filter(isEmail).map(foldEmail),
    sortNames: wanted.filter((call) => !isEmail(call)).flatMap(sortNamesOf),
  });
  const byCall = new Map<string, Set<string>>();
  const add = (call: string, id: string) => byCall.set(call, (byCall.get(call) ?? new Set()).add(id));
  for (const client of known) {
    if (client.email) add(client.email, client._id);
    add(foldText(displayName(client)), client._id);
    if (client.kind === "person") add(foldText(`${client.lastName}, ${client.firstName}`), client._id);
  }
  return (call) => {
    const [id, other] = byCall.get(isEmail(call) ? foldEmail(call) : foldText(call)) ?? [];
    if (id === undefined)
      return { problem: `There is no client ${call}. Import the clients first, or write the email address of one.` };
    if (other !== undefined) return { problem: `More than one client is ${call}. Write the email address.` };
    return { id };
  };
}

/** Finds an active colleague by name. */
export async function colleagueFinder({ ownerId }: Scope): Promise<(name: string) => Found> {
  const active = (await colleagues(ownerId)).filter(({ isActive }) => isActive);
  const byName = Map.groupBy(active, (colleague) => foldText(colleague.name));
  return (name) => {
    const [one, other] = byName.get(foldText(name)) ?? [];
    if (!one) return { problem: `Nobody of the practice is called ${name}. Write the name as it stands under Staff.` };
    if (other)
      return { problem: `Two people of the practice are called ${name}. Leave this cell empty and choose later.` };
    return { id: one.userId };
  };
}
