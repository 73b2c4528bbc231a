import { useCallback, useState } from "react";
import { makeId } from "./new-id.ts";

/**
 * The id of what a dialog or a button makes: the same one however often it is sent, so that a second click, or a second
 * try after an answer that got lost, makes nothing twice. `renew` is for when it was made.
 */
export function useNewId(): readonly [id: string, renew: () => void] {
  const [id, setId] = useState(makeId);
  return [id, useCallback(() => setId(makeId()), [])];
}
