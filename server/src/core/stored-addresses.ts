import { canonicalEmail } from "@app/shared/email-address";

/** Everything that nobody sees; an address of before may hold some of it. */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/**
 * The one form of an address that was stored before there was one: what nobody sees goes. Empty where that leaves no
 * address that mail could reach.
 */
export const repairedAddress = (stored: string): string =>
  stored === "" ? "" : (canonicalEmail(stored.replace(INVISIBLE, "")) ?? "");
