import type { PaymentOutcome } from "@app/shared/payments";
import { useCallback, useEffect, useState } from "react";
import { apiClient } from "../../core/api-client.ts";
import { codeOf, messageOf } from "../../core/errors.ts";
import { isToFollow } from "./outcome-words.ts";
import type { OutcomeSearch } from "../../core/search.ts";

const OFTEN_MS = 3000;
const SELDOM_MS = 20_000;
/** After so long the page asks less often: the payer has been told to get in touch. */
const OFTEN_TRIES = 100;

interface Asked {
  found: PaymentOutcome | "unknown" | null;
  /** The last look failed; what was found before stands. */
  failure: string;
  checkedAt: Date | null;
  isChecking: boolean;
  check: () => void;
}

/** How the payment stands by what the server knows, looked at again and again while nobody has been told yet. */
export function useOutcome({ r, session }: OutcomeSearch): Asked {
  const [found, setFound] = useState<Asked["found"]>(r === undefined && session === undefined ? "unknown" : null);
  const [failure, setFailure] = useState("");
  const [checkedAt, setCheckedAt] = useState<Date | null>(null);
  const [isChecking, setIsChecking] = useState(false);
  const [tries, setTries] = useState(0);
  const isKnown = found !== null && (found === "unknown" || !isToFollow(found));

  const check = useCallback(() => {
    const place = { ...(r === undefined ? {} : { r }), ...(session === undefined ? {} : { session }) };
    setIsChecking(true);
    void apiClient.payments.outcome
      .query(place)
      .then(
        (outcome) => {
          setFound(outcome);
          setFailure("");
          setCheckedAt(new Date());
        },
        (error: unknown) => {
          // What is no such place at all is refused before it is looked for.
          if (["NOT_FOUND", "BAD_REQUEST"].includes(codeOf(error) ?? "")) setFound("unknown");
          else setFailure(messageOf(error));
        },
      )
      .finally(() => {
        setIsChecking(false);
        setTries((before) => before + 1);
      });
  }, [r, session]);

  useEffect(() => {
    if (isKnown) return;
    const timer = setTimeout(check, tries === 0 ? 0 : tries < OFTEN_TRIES ? OFTEN_MS : SELDOM_MS);
    return () => clearTimeout(timer);
  }, [check, isKnown, tries]);

  return { found, failure, checkedAt, isChecking, check };
}
