import type { BookingPage } from "@app/shared/bookings";
import { useEffect, useState } from "react";
import { apiClient } from "../../core/api-client.ts";
import { codeOf, messageOf } from "../../core/errors.ts";
import { useNeutralTitle } from "../../core/title.ts";
import { FormFailure } from "../../ui/form-failure.tsx";
import { PracticeMark } from "../../ui/practice-mark.tsx";
import { DeadLink } from "../shell/dead-link.tsx";
import { BookPage } from "./book-page.tsx";
import type { PairPage, Told } from "./pair-page.tsx";
import type { ManagePage } from "./manage-page.tsx";
import "./bookings.css";

interface Props {
  id: string;
  /** What the address says after its #. */
  step: string;
}

type Found =
  | { page: BookingPage; Pair: typeof PairPage | null; Manage: typeof ManagePage | null }
  | { failure: string }
  | "dead";

async function look(id: string): Promise<Found> {
  try {
    const page = await apiClient.bookings.page.query({ id });
    // Whoever comes to book does not wait for what follows, or for what few come for.
    return {
      page,
      Pair: page.kind === "pair" ? (await import("./pair-page.tsx")).PairPage : null,
      Manage: page.kind === "manage" ? (await import("./manage-page.tsx")).ManagePage : null,
    };
  } catch (error) {
    return isDead(error) ? "dead" : { failure: messageOf(error) };
  }
}

/** What a booking link opens: free times, or the appointment of whoever booked by one. */
export function ScheduleMeetingPage({ id, step }: Props) {
  useNeutralTitle("Appointment");
  const [found, setFound] = useState<Found | null>(null);
  const [round, setRound] = useState(0);
  const [told, setTold] = useState<Told | null>(null);
  useEffect(() => {
    let isLeft = false;
    void look(id).then((now) => isLeft || setFound(now));
    return () => {
      isLeft = true;
    };
  }, [id, round]);
  const reload = (saying?: Told) => {
    setTold(saying ?? null);
    setRound((before) => before + 1);
  };
  if (found === null) return <p className="plain-text">One moment</p>;
  if (found === "dead") return <DeadLink />;
  if ("failure" in found)
    return (
      <>
        <FormFailure>{found.failure}</FormFailure>
        <button type="button" className="plain-button" onClick={() => reload()}>
          Try again
        </button>
      </>
    );
  const { page, Pair, Manage } = found;
  // What was booked before stays theirs to look at, to move and to cancel.
  const isClosed = page.isClosed && page.kind !== "manage";
  return (
    <>
      <div className="booking-practice">
        <PracticeMark name={page.practiceName} />
      </div>
      {isClosed && <ClosedPage />}
      {!isClosed && page.kind === "book" && (
        <BookPage key={id} id={id} page={page} isAtDetails={step === "details"} onReload={reload} />
      )}
      {!isClosed && page.kind === "pair" && Pair && (
        <Pair key={`${id}${page.formToken}`} id={id} page={page} isNew={round > 0} told={told} onReload={reload} />
      )}
      {page.kind === "manage" && Manage && (
        <Manage
          key={`${id}${page.formToken}`}
          id={id}
          page={page}
          isJustBooked={step === "booked"}
          isNew={step === "booked" || round > 0}
          onReload={reload}
        />
      )}
    </>
  );
}

const ClosedPage = () => (
  <>
    <h1 className="plain-title">Nothing can be booked now</h1>
    <p className="plain-text">
      This page takes no bookings at the moment. Please phone us, or write to us, and we will find a time for you.
    </p>
  </>
);

// What is no such secret at all is refused before it is looked for.
const isDead = (error: unknown): boolean => ["NOT_FOUND", "BAD_REQUEST"].includes(codeOf(error) ?? "");
