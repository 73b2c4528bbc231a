import type { BookingPage } from "@app/shared/bookings";
import { useEffect, useState } from "react";
import { apiClient } from "../../core/api-client.ts";
import { codeOf, messageOf } from "../../core/errors.ts";
import { useTitle } from "../../core/title.ts";
import { FormFailure } from "../../ui/form-failure.tsx";
import { DeadLink } from "../shell/dead-link.tsx";
import { BookPage } from "./book-page.tsx";
import { PairPage } from "./pair-page.tsx";
import { ManagePage } from "./manage-page.tsx";
import "./bookings.css";

type Found = { page: BookingPage } | { failure: string } | "dead" | null;

/** What a booking link opens: free times, or the appointment of whoever booked by one. */
export function ScheduleMeetingPage({ id, isJustBooked }: { id: string; isJustBooked: boolean }) {
  useTitle("Appointment");
  const [found, setFound] = useState<Found>(null);
  const [round, setRound] = useState(0);
  useEffect(() => {
    let isLeft = false;
    apiClient.bookings.page.query({ id }).then(
      (page) => isLeft || setFound({ page }),
      (error: unknown) => isLeft || setFound(isDead(error) ? "dead" : { failure: messageOf(error) }),
    );
    return () => {
      isLeft = true;
    };
  }, [id, round]);
  const reload = () => setRound((before) => before + 1);
  if (found === null) return <p className="plain-text">One moment</p>;
  if (found === "dead") return <DeadLink />;
  if ("failure" in found)
    return (
      <>
        <FormFailure>{found.failure}</FormFailure>
        <button type="button" className="plain-button" onClick={reload}>
          Try again
        </button>
      </>
    );
  const { page } = found;
  return (
    <>
      <p className="booking-practice">{page.practiceName}</p>
      {page.kind === "book" && <BookPage key={id} id={id} page={page} onReload={reload} />}
      {page.kind === "pair" && <PairPage key={`${id}${page.formToken}`} id={id} page={page} onReload={reload} />}
      {page.kind === "manage" && (
        <ManagePage key={`${id}${page.formToken}`} id={id} page={page} isJustBooked={isJustBooked} onReload={reload} />
      )}
    </>
  );
}

// What is no such secret at all is refused before it is looked for.
const isDead = (error: unknown): boolean => ["NOT_FOUND", "BAD_REQUEST"].includes(codeOf(error) ?? "");
