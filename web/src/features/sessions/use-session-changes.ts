import type { Session } from "@app/shared/sessions";
import { useState } from "react";
import { api, cachingClient } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { notifyError } from "../../core/notify.ts";
import { makeId } from "../notes/note-words.ts";
import { sendSurely } from "../notes/outgoing.ts";

type Sessions = (typeof cachingClient)["sessions"];
type Apply = (session: Session) => Session;

export interface Change {
  /** What it does to the session on the screen, until the server has answered. */
  apply?: Apply;
  call: (sessions: Sessions, change: { id: string; changeId: string }) => Promise<Session>;
}

/** Makes a change and says whether the server took it; while the network is away it waits. */
export type ChangeSession = (change: Change) => Promise<boolean>;

const asItIs: Apply = (session) => session;

/** Changes of a session: shown at once, sent in their order, and never lost with the network. */
export function useSessionChanges(stored: Session): { session: Session; change: ChangeSession } {
  const utils = api.useUtils();
  const [pending, setPending] = useState<{ changeId: string; apply: Apply }[]>([]);
  const session = pending.reduce((before, { apply }) => apply(before), stored);

  const change: ChangeSession = async ({ apply = asItIs, call }) => {
    const changeId = makeId();
    setPending((before) => [...before, { changeId, apply }]);
    try {
      const saved = await sendSurely(() => call(cachingClient.sessions, { id: stored.id, changeId }));
      // What was asked for before the change was made would put back what the session was.
      await utils.sessions.get.cancel({ id: stored.id });
      utils.sessions.get.setData({ id: stored.id }, saved);
      void utils.sessions.ofCase.invalidate();
      // A lock closes the notes too, and an end makes tasks.
      if (saved.status !== stored.status) await Promise.all([utils.notes.invalidate(), utils.tasks.invalidate()]);
      return true;
    } catch (error) {
      notifyError(messageOf(error));
      return false;
    } finally {
      setPending((before) => before.filter((each) => each.changeId !== changeId));
    }
  };
  return { session, change };
}
