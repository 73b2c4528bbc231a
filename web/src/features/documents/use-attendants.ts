// Who else has the text open, asked again and again as long as this one is.
import { ATTENDING_MS, type Attendants } from "@app/shared/document-templates";
import { useEffect, useEffectEvent, useState } from "react";

type Attend = (said: { id: string; isWriting: boolean }) => Promise<Attendants>;

/** Null for whoever only reads: of them nobody is told. */
export function useAttendants(id: string | null, isWriting: boolean, attend: Attend): Attendants["others"] {
  const [others, setOthers] = useState<Attendants["others"]>([]);
  const ask = useEffectEvent(() => {
    if (id === null || document.visibilityState === "hidden") return;
    // A call that fails says nothing of the others: the next one will.
    attend({ id, isWriting }).then(
      (told) => setOthers(told.others),
      () => undefined,
    );
  });
  useEffect(() => {
    ask();
    const timer = setInterval(ask, ATTENDING_MS.every);
    return () => clearInterval(timer);
  }, [id, isWriting]);
  return others;
}
