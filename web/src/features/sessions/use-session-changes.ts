import type { Session } from "@app/shared/sessions";
import { useState } from "react";
import { api, cachingClient } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { makeId } from "../../core/new-id.ts";
import { notifyError } from "../../core/notify.ts";
import { sendSurely } from "../notes/save-queue.ts";

type Sessions = (typeof cachingClient)["sessions"];
type Apply = (session: Session) => Session;

export interface Change {
  /** Of a dialog, so that its button makes one change however often it is pressed. */
  changeId?: string;
  /** What it does to the session on the screen, until the server has answered. */
  apply?: Apply;
  /** Shows a refusal where it belongs; true where that is done. */
  refuse?: (error: unknown) => boolean;
  call: (sessions: Sessions, change: { id: string; changeId: string }) => Promise<Session>;
}

/** Makes a change and says whether the server took it; while the network is away it waits. */
export type ChangeSession = (change: Change) => Promise<boolean>;

const asItIs: Apply = (session) => session;

interface Here {
  pending: { changeId: string; apply: Apply }[];
  /** The newest answer: the page gets it from the cache a moment later, and may get an older one in between. */
  saved: Session | null;
}

const newer = (one: Session, other: Session | null) => (other && other.version > one.version ? other : one);

/** Changes of a session: shown at once, sent in their order, and never lost with the network. */
export function useSessionChanges(stored: Session): { session: Session; change: ChangeSession } {
  const utils = api.useUtils();
  const [{ pending, saved }, setHere] = useState<Here>({ pending: [], saved: null });
  const session = pending.reduce((before, { apply }) => apply(before), newer(stored, saved));

  /** What was shown gives way to the answer in one step, so that nothing on the screen falls back in between. */
  const settle = (changeId: string, answer: Session | null) =>
    setHere((before) => ({
      pending: before.pending.filter((each) => each.changeId !== changeId),
      saved: answer ? newer(answer, before.saved) : before.saved,
    }));

  const change: ChangeSession = async ({ changeId = makeId(), apply = asItIs, refuse, call }) => {
    if (pending.some((each) => each.changeId === changeId)) return true;
    setHere((before) => ({ ...before, pending: [...before.pending, { changeId, apply }] }));
    try {
      const answer = await sendSurely(() => call(cachingClient.sessions, { id: stored.id, changeId }));
      settle(changeId, answer);
      utils.sessions.get.setData({ id: stored.id }, answer);
      void utils.sessions.ofCase.invalidate();
      // A lock closes the notes too, and an end makes tasks.
      if (answer.status !== stored.status) await Promise.all([utils.notes.invalidate(), utils.tasks.invalidate()]);
      return true;
    } catch (error) {
      settle(changeId, null);
      if (!refuse?.(error)) notifyError(messageOf(error));
      return false;
    }
  };
  return { session, change };
}

/** For a form: a refusal is thrown, so that it is shown at the fields, and not beside the dialog. */
export async function changeOrThrow(change: ChangeSession, wanted: Omit<Change, "refuse">): Promise<void> {
  let refused: unknown;
  const isTaken = await change({
    ...wanted,
    refuse: (error) => {
      refused = error;
      return true;
    },
  });
  if (!isTaken) throw refused;
}
