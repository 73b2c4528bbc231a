import { PAGE_CHANGED } from "@app/shared/booking-limits";
import { useState } from "react";
import { apiClient } from "../../core/api-client.ts";
import { codeOf, messageOf } from "../../core/errors.ts";
import { holderOf } from "./holder.ts";
import { forgetChoice, type Held, keepChoice, keptChoice } from "./kept-choice.ts";
import { useSlots } from "./use-slots.ts";

export const ANYBODY = "anybody";

interface Options {
  id: string;
  /** Of the page on which it is chosen. */
  version: number;
  timeZone: string;
  onReload: () => void;
}

/** The time that is held for this visitor, as it is chosen and lost. */
export function useHeldTime({ id, version, timeZone, onReload }: Options) {
  const [holder] = useState(() => holderOf(id));
  const [kept] = useState(() => keptChoice(id));
  const [mediator, setMediator] = useState(kept?.mediator ?? ANYBODY);
  const [held, setHeld] = useState<Held | null>(kept?.held ?? null);
  const [failure, setFailure] = useState("");
  const [taken, setTaken] = useState<string | null>(null);
  const mediatorId = mediator === ANYBODY ? null : mediator;
  const { slots, failure: slotsFailure, reload } = useSlots(id, mediatorId, holder);
  const chosen = { id, version, mediatorId, holder };
  const lose = () => {
    setHeld(null);
    forgetChoice(id);
  };
  const refuse = (error: unknown, startsAt: string | null) => {
    lose();
    setFailure(messageOf(error));
    setTaken(codeOf(error) === "CONFLICT" ? startsAt : null);
    if (codeOf(error) === "CONFLICT") reload();
    else if (codeOf(error) === "PRECONDITION_FAILED") onReload();
    if (messageOf(error) === PAGE_CHANGED) reload();
  };
  const choose = async (startsAt: string) => {
    setFailure("");
    try {
      const { heldUntil } = await apiClient.bookings.hold.mutate({ ...chosen, startsAt, timeZone });
      setHeld({ startsAt, heldUntil });
      keepChoice(id, { mediator, held: { startsAt, heldUntil } });
    } catch (error) {
      refuse(error, startsAt);
    }
  };
  const chooseMediator = (chosen: string) => {
    setMediator(chosen);
    if (held) void apiClient.bookings.letGo.mutate({ id, holder });
    lose();
  };
  return { chosen, mediator, held, slots, failure, slotsFailure, taken, refuse, choose, chooseMediator };
}
