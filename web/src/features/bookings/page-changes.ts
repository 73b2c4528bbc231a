import type { BookingPage } from "@app/shared/bookings";
import { depositText } from "./deposit-text.ts";
import { PLACES } from "./places.ts";

export type ShownPage = Extract<BookingPage, { kind: "book" }>;

/** What its visitor sees of it, by which a newer one is known. */
export const shownAs = ({ version, deposit }: ShownPage): string => JSON.stringify([version, deposit]);

const changedDeposit = (now: ShownPage): string =>
  now.deposit
    ? `${depositText(now)} is to be paid now before a time is booked.`
    : "Nothing is to be paid now before a time is booked.";

/** What of a page the practice changed while somebody had it open, in words for them. */
export function changesOf(before: ShownPage, now: ShownPage): string[] {
  const isOther = <Part>(part: (page: ShownPage) => Part): boolean =>
    JSON.stringify(part(before)) !== JSON.stringify(part(now));
  const said = [
    isOther(({ title }) => title) && `It is called “${now.title}” now.`,
    isOther(({ minutes }) => minutes) && `It takes ${now.minutes} minutes now, where it said ${before.minutes}.`,
    isOther(({ locationKind }) => locationKind) &&
      `It is ${PLACES[now.locationKind].toLowerCase()} now, where it said ${PLACES[before.locationKind].toLowerCase()}.`,
    isOther(({ mediators }) => mediators) && "You can meet other people than it said.",
    isOther(({ questions }) => questions) && "What we ask you is not the same any more.",
    isOther(({ needsConfirmation }) => needsConfirmation) &&
      (now.needsConfirmation
        ? "We confirm a time now before it is booked."
        : "A time is booked now as soon as you choose it."),
    isOther(({ deposit }) => deposit) && changedDeposit(now),
    isOther(({ noticeHours }) => noticeHours) && "Until when you can move or cancel it is not the same any more.",
  ].filter((words) => words !== false);
  return said.length > 0 ? said : ["Something of it changed that this page does not show."];
}
