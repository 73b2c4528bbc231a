import { PAGE_CHANGED } from "@app/shared/booking-limits";
import { useEffect, useRef, useState } from "react";
import { apiClient } from "../../core/api-client.ts";
import { codeOf, messageOf } from "../../core/errors.ts";
import { holderOf } from "./holder.ts";
import { changesOf, shownAs, type ShownPage } from "./page-changes.ts";
import { forgetChoice, type Held, keepChoice, keptChoice } from "./kept-choice.ts";
import { useSlots } from "./use-slots.ts";

export const ANYBODY = "anybody";

interface Options {
  id: string;
  page: ShownPage;
  timeZone: string;
  onReload: () => void;
}

/** The page as it was when they chose, where the practice changed it since. */
interface Before {
  page: ShownPage;
  startsAt: string | null;
  /** Null until it was asked for on the page as it is now. */
  isTimeKept: boolean | null;
}

/** The time that is held for this visitor, as it is chosen and lost. */
export function useHeldTime({ id, page, timeZone, onReload }: Options) {
  const [holder] = useState(() => holderOf(id));
  const [kept] = useState(() => keptChoice(id));
  const [mediator, setMediator] = useState(kept?.mediator ?? ANYBODY);
  const [held, setHeld] = useState<Held | null>(kept?.held ?? null);
  const [failure, setFailure] = useState("");
  const [before, setBefore] = useState<Before | null>(null);
  const [taken, setTaken] = useState<string | null>(null);
  const mediatorId = mediator === ANYBODY ? null : mediator;
  const { slots, hasLater, failure: slotsFailure, reload } = useSlots(id, mediatorId, holder);
  const chosen = { id, version: page.version, mediatorId, holder };
  const lose = () => {
    setHeld(null);
    forgetChoice(id);
  };
  const refuse = (error: unknown, startsAt: string | null) => {
    lose();
    if (messageOf(error) === PAGE_CHANGED) {
      setBefore({ page, startsAt, isTimeKept: null });
      reload();
      return onReload();
    }
    setFailure(messageOf(error));
    setTaken(codeOf(error) === "CONFLICT" ? startsAt : null);
    if (codeOf(error) === "CONFLICT") reload();
    else if (codeOf(error) === "PRECONDITION_FAILED") onReload();
  };
  const hold = async (startsAt: string) => {
    const { heldUntil } = await apiClient.bookings.hold.mutate({ ...chosen, startsAt, timeZone });
    setHeld({ startsAt, heldUntil });
    keepChoice(id, { mediator, held: { startsAt, heldUntil } });
  };
  const choose = async (startsAt: string) => {
    setFailure("");
    setBefore(null);
    try {
      await hold(startsAt);
    } catch (error) {
      refuse(error, startsAt);
    }
  };
  /** What they chose on the page as it was is asked for on the page as it is. */
  const holdAgain = async (was: Before) => {
    const tell = (isTimeKept: boolean) => setBefore({ ...was, isTimeKept });
    try {
      if (was.startsAt === null) return;
      await hold(was.startsAt);
      tell(true);
    } catch (error) {
      if (codeOf(error) === "CONFLICT") tell(false);
      else refuse(error, was.startsAt);
    }
  };
  const asked = useRef(shownAs(page));
  useEffect(() => {
    if (before === null || asked.current === shownAs(page)) return;
    asked.current = shownAs(page);
    void holdAgain(before);
  });
  const changed =
    before && shownAs(before.page) !== shownAs(page)
      ? { changes: changesOf(before.page, page), isTimeKept: before.isTimeKept }
      : null;
  const chooseMediator = (chosen: string) => {
    setMediator(chosen);
    if (held) void apiClient.bookings.letGo.mutate({ id, holder });
    lose();
  };
  return {
    chosen,
    mediator,
    held,
    slots,
    hasLater,
    failure,
    slotsFailure,
    taken,
    changed,
    refuse,
    choose,
    chooseMediator,
  };
}
