import { newId } from "@app/server/core/ids";
import { richTextOf } from "@app/shared/rich-text";

/** A mailing to a list of so many addresses. */
export function aMailingTo(count: number, perMinute: number) {
  const addresses = Array.from({ length: count }, (_, at) => `person${at}@example.org`);
  const csv = `value,label\n${addresses.map((address) => `${address},Somebody`).join("\n")}`;
  const letter = { subject: "Closing days", body: richTextOf("We are closed until 4 January.") };
  return { addresses, mailing: { id: newId(), ...letter, perMinute, source: { kind: "csv" as const, csv } } };
}
