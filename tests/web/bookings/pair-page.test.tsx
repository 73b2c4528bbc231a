// The page of one of two who are to find a time, as it goes on after what they press.
import type { BookingPage } from "@app/shared/bookings";
import { fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { ScheduleMeetingPage } from "../../../web/src/features/bookings/schedule-meeting-page.tsx";
import { draw } from "../page.tsx";

const SOONEST_MS = 3000;
const AFTER_IT = { timeout: 4500 };
type Pair = Extract<BookingPage, { kind: "pair" }>;
const held: Pair = {
  kind: "pair",
  practiceName: "Quillfeather",
  isClosed: false,
  title: "Choose times that suit you",
  minutes: 60,
  locationKind: "phone",
  locale: "en-GB",
  practiceTimeZone: "Europe/London",
  formToken: "",
  state: "held",
  picks: [],
  own: { startsAt: "2026-12-07T10:00:00.000Z", endsAt: "2026-12-07T11:00:00.000Z", place: "By phone", calendar: null },
  hasConfirmed: false,
  cancellableUntil: null,
};

let page: Pair;
let refused: string | null;
/** How long after the page was loaded. */
let answeredAfterMs: number[];
beforeEach(() => {
  page = held;
  refused = null;
  answeredAfterMs = [];
  let [tokens, loadedAt] = [0, 0];
  vi.stubGlobal("fetch", async (address: string) => {
    const name = new URL(address, "http://localhost").pathname.split(".").at(-1);
    if (name === "page") {
      loadedAt = performance.now();
      tokens += 1;
      return Response.json({ result: { data: { ...page, formToken: `token ${tokens}` } } });
    }
    if (name === "slots") return Response.json({ result: { data: { items: [], hasLater: false } } });
    answeredAfterMs.push(performance.now() - loadedAt);
    if (refused === null) return Response.json({ result: { data: null } });
    const error = { message: refused, code: -32_000, data: { code: "PRECONDITION_FAILED" } };
    return Response.json({ error }, { status: 412 });
  });
});

const press = async (name: string) => fireEvent.click(await screen.findByRole("button", { name }));

test("the page of a pair: a time that is confirmed at once, when the server takes nothing so soon, is sent once it does", async () => {
  draw(<ScheduleMeetingPage id={"p".repeat(43)} step="" />);
  await press("Confirm this time");
  page = { ...held, hasConfirmed: true };
  await screen.findByText(/You have confirmed it/, undefined, AFTER_IT);
  expect(answeredAfterMs).toHaveLength(1);
  expect(answeredAfterMs[0]).toBeGreaterThan(SOONEST_MS);
  expect(screen.queryByRole("alert")).toBeNull();
});

test("the page of a pair: an answer that is refused, when the page then says how it stands, is told there", async () => {
  draw(<ScheduleMeetingPage id={"p".repeat(43)} step="" />);
  refused = "There is no time to confirm at the moment.";
  await press("Confirm this time");
  page = { ...held, state: "waiting", own: null };
  await screen.findByRole("heading", { name: held.title }, AFTER_IT);
  await waitFor(() => expect(screen.getByRole("alert").textContent).toBe("There is no time to confirm at the moment."));
});

test("the page of a pair: a time that does not suit, when it was given back, is said to be noted beside the times", async () => {
  draw(<ScheduleMeetingPage id={"p".repeat(43)} step="" />);
  await press("This time does not suit me");
  page = { ...held, state: "asked", own: null };
  await screen.findByRole("heading", { name: held.title }, AFTER_IT);
  expect(screen.getByRole("status").textContent).toMatch(/does not suit you/);
});

test("the page of a pair: what was booked and is cancelled, when the link is opened, says so", async () => {
  page = { ...held, state: "cancelled", own: null, hasConfirmed: true };
  draw(<ScheduleMeetingPage id={"p".repeat(43)} step="" />);
  await screen.findByRole("heading", { name: "Your appointment is cancelled" });
  expect(screen.getByText("We get in touch with you about another time.")).toBeTruthy();
});

test("the page of a pair: a cancellation that is refused, when a keyboard pressed it, leaves the keyboard on the question", async () => {
  page = { ...held, state: "booked", cancellableUntil: "2026-12-06T10:00:00.000Z" };
  refused = "This appointment cannot be cancelled on this page. Please phone us.";
  draw(<ScheduleMeetingPage id={"p".repeat(43)} step="" />);
  await press("Cancel");
  const button = await screen.findByRole("button", { name: "Cancel the appointment" });
  button.focus();
  fireEvent.click(button);
  await screen.findByText(refused, undefined, AFTER_IT);
  await waitFor(() => expect(screen.getByText(/^Cancel this appointment\?/)).toBe(document.activeElement));
});
