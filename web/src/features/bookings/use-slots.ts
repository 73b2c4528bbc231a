import { useEffect, useState } from "react";
import { apiClient } from "../../core/api-client.ts";
import { messageOf } from "../../core/errors.ts";

/** What is free, read anew whenever somebody was faster. */
export function useSlots(id: string, mediatorId: string | null) {
  const [slots, setSlots] = useState<readonly string[] | null>(null);
  const [failure, setFailure] = useState("");
  const [round, setRound] = useState(0);
  useEffect(() => {
    let isLeft = false;
    apiClient.bookings.slots.query({ id, mediatorId }).then(
      ({ items }) => {
        if (isLeft) return;
        setFailure("");
        setSlots(items);
      },
      (error: unknown) => isLeft || setFailure(messageOf(error)),
    );
    return () => {
      isLeft = true;
    };
  }, [id, mediatorId, round]);
  return { slots, failure, reload: () => setRound((before) => before + 1) };
}
