import { useEffect, useState } from "react";
import { apiClient } from "../../core/api-client.ts";
import { messageOf } from "../../core/errors.ts";

/** What is free, for `holder` with the time that they hold, read anew whenever somebody was faster. */
export function useSlots(id: string, mediatorId: string | null, holder?: string) {
  const [slots, setSlots] = useState<readonly string[] | null>(null);
  const [hasLater, setHasLater] = useState(false);
  const [failure, setFailure] = useState("");
  const [round, setRound] = useState(0);
  useEffect(() => {
    let isLeft = false;
    apiClient.bookings.slots.query({ id, mediatorId, ...(holder ? { holder } : {}) }).then(
      ({ items, hasLater: isCut }) => {
        if (isLeft) return;
        setFailure("");
        setSlots(items);
        setHasLater(isCut);
      },
      (error: unknown) => isLeft || setFailure(messageOf(error)),
    );
    return () => {
      isLeft = true;
    };
  }, [id, mediatorId, holder, round]);
  return { slots, hasLater, failure, reload: () => setRound((before) => before + 1) };
}
