// People beside the parties while somebody enters them: nothing of them is chosen beforehand.
import { type MeetingOther, OTHER_ROLES, type OtherRole } from "@app/shared/meeting-others";
import type { Meeting } from "@app/shared/meetings";
import { EVERYBODYS } from "./room-choices.ts";

export interface OtherChoice {
  kind: MeetingOther["kind"];
  /** Empty until somebody is chosen. */
  personId: string;
  role: OtherRole | "";
  /** A party's id, everybody, or empty until it is said. */
  whose: string;
  signedOn: string;
}

export const NOBODY_YET: OtherChoice = { kind: "contact", personId: "", role: "", whose: "", signedOn: "" };

export const otherChoicesOf = (others: Meeting["others"]): OtherChoice[] =>
  others.map(({ kind, personId, role, partyId, signedOn }) => ({
    kind,
    personId,
    role,
    whose: partyId ?? EVERYBODYS,
    signedOn,
  }));

export const roleOf = (value: string): OtherRole | "" => OTHER_ROLES.find((known) => known === value) ?? "";

/** As they are sent. */
export const othersOf = (others: readonly OtherChoice[]): MeetingOther[] =>
  others.flatMap(({ role, whose, ...other }) =>
    role === "" ? [] : [{ ...other, role, partyId: whose === EVERYBODYS ? null : whose }],
  );

export function checkOthers(others: readonly OtherChoice[], partyIds: readonly string[]): Record<string, string> {
  const isOpen = ({ personId, role, whose }: OtherChoice) =>
    personId === "" || role === "" || (whose !== EVERYBODYS && !partyIds.includes(whose));
  const index = others.findIndex(isOpen);
  return index < 0 ? {} : { [`others.${index}`]: "Say who comes, as what, and for whom" };
}
