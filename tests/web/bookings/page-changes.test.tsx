import { expect, test } from "vitest";
import { changesOf, type ShownPage } from "../../../web/src/features/bookings/page-changes.ts";

const PAGE: ShownPage = {
  kind: "book",
  practiceName: "Quillfeather",
  isClosed: false,
  title: "A first talk",
  minutes: 30,
  locationKind: "phone",
  locale: "en-GB",
  practiceTimeZone: "Europe/London",
  formToken: "token",
  version: 1,
  mediators: [],
  questions: [],
  isKnown: false,
  needsConfirmation: false,
  noticeHours: 24,
  deposit: null,
};

test.each<[Partial<ShownPage>, string[]]>([
  [{ minutes: 90 }, ["It takes 90 minutes now, where it said 30."]],
  [{ locationKind: "video" }, ["It is by video now, where it said by phone."]],
  [{ needsConfirmation: true }, ["We confirm a time now before it is booked."]],
  [{ deposit: { amountMinor: 5000, currency: "GBP" } }, ["£50.00 is to be paid now before a time is booked."]],
  [
    { title: "A long talk", noticeHours: 48 },
    ["It is called “A long talk” now.", "Until when you can move or cancel it is not the same any more."],
  ],
  [{ formToken: "another" }, ["Something of it changed that this page does not show."]],
])("a booking page that was changed: %j is said in words", (changes, words) => {
  expect(changesOf(PAGE, { ...PAGE, ...changes, version: 2 })).toEqual(words);
});
