// What every public page of a booking has in common: what it shows of the practice, and the token of its form.
import { NEEDS_PHONE, needsPhone } from "@app/shared/booking-limits";
import type { BookSlot } from "@app/shared/bookings";
import { REGIONS } from "@app/shared/regions";
import { badField, wrongState } from "../../core/visitor-refusals.ts";
import { issueFormToken, redeemFormToken } from "../../core/form-token.ts";
import type { Logger } from "../../core/logger.ts";
import { practiceNameOf, practiceRegion, practiceTimeZone } from "../practices/practices.service.ts";
import { takesFromOutside } from "../subscriptions/subscriptions.service.ts";
import type { BookingLinkDoc } from "./bookings.model.ts";
import { type Booked, shownName } from "./visitor-leads.ts";

/** Whoever calls: nobody but a network. */
export interface Visitor {
  ip: string;
  log: Logger;
}

const PURPOSE = "booking";

export async function pageOf(
  { ownerId, title, minutes, location }: Pick<BookingLinkDoc, "ownerId" | "title" | "minutes" | "location">,
  id: string,
) {
  const [practiceName, practiceTime, region, isTaking] = await Promise.all([
    practiceNameOf(ownerId),
    practiceTimeZone(ownerId),
    practiceRegion(ownerId),
    takesFromOutside(ownerId),
  ]);
  return {
    practiceName,
    isClosed: !isTaking,
    title,
    minutes,
    locationKind: location.kind,
    locale: REGIONS[region].locale,
    practiceTimeZone: practiceTime,
    formToken: issueFormToken({ purpose: PURPOSE, id }),
  };
}

/** In the transaction of what was sent. */
export const redeem = ({ id, formToken }: { id: string; formToken: string }): Promise<void> =>
  redeemFormToken({ purpose: PURPOSE, id, token: formToken });

/** Nobody sees the field, so whoever filled it in is a program. */
export function assertHuman(website: string): void {
  if (website !== "") throw wrongState("This could not be sent. Load the page again, or phone us.");
}

/** Who comes by a link that anybody may have, by the name that they are called everywhere. */
export function visitorOf({ location }: BookingLinkDoc, person: BookSlot["person"]): Booked["visitor"] {
  if (!person) throw badField("person.name", "Enter your name and email address");
  const name = shownName(person.name);
  if (name === "") throw badField("person.name", "Enter your name in letters");
  if (needsPhone(location.kind) && person.phone === "") throw badField("person.phone", NEEDS_PHONE);
  return { ...person, name };
}

/** To each question of the link, in their order; throws BAD_REQUEST where one is missing or is no answer. */
export function answersTo({ questions }: BookingLinkDoc, given: readonly string[]) {
  return questions.map(({ label, kind, isRequired }, index) => {
    const answer = given[index] ?? "";
    if (isRequired && answer === "") throw badField(`answers.${index}`, "Answer this question");
    if (kind === "yes_no" && !["", "Yes", "No"].includes(answer))
      throw badField(`answers.${index}`, "Choose yes or no");
    return { label, answer };
  });
}
