// The way of what is typed to the server: one save at a time, soon after the last key, and again and again while the
// line is broken.
import { apiClient } from "../../core/api-client.ts";
import { codeOf, messageOf } from "../../core/errors.ts";
import { rememberDraft } from "./draft-memory.ts";
import { type FillingStore, savingOf, takeOpened, takeSaved } from "./filling-store.ts";

const PAUSE_MS = 1200;
const RETRIES_MS = [3000, 6000, 15_000, 30_000] as const;

export type SaveState = "idle" | "typed" | "saving" | "saved" | "offline" | "refused" | "dead" | "sent";

export interface Saver {
  /** Saves what is there now; true once the server has all of it. */
  save: () => Promise<boolean>;
  /** Soon, when nothing more is typed. */
  saveSoon: () => void;
  /** Asks for what was answered elsewhere, and saves where something waits for it. */
  refresh: () => Promise<void>;
  stop: () => void;
}

type Tell = (state: SaveState, why?: string) => void;

export function saverOf(store: FillingStore, tell: Tell): Saver {
  let timer: number | undefined;
  let failures = 0;
  let running: Promise<boolean> | null = null;
  const after = (ms: number) => {
    window.clearTimeout(timer);
    timer = window.setTimeout(() => void save(), ms);
  };

  async function saveOnce(): Promise<boolean> {
    const sent = new Map(store.unsaved);
    tell("saving");
    try {
      const saved = await apiClient.submissions.filling.save.mutate(savingOf(store));
      takeSaved(store, sent, saved);
      if (saved.resumeId !== null) rememberDraft(store.place.formId, saved.resumeId);
      failures = 0;
      tell(store.unsaved.size > 0 ? "typed" : "saved");
      return true;
    } catch (error) {
      const passes = PASSES.has(codeOf(error) ?? "");
      tell(passes ? "offline" : await refusalOf(error), messageOf(error));
      if (passes) after(RETRIES_MS[Math.min(failures, RETRIES_MS.length - 1)] ?? PAUSE_MS);
      failures += 1;
      return false;
    }
  }

  /** Why it is refused for good; one that was sent in from elsewhere is over. */
  async function refusalOf(error: unknown): Promise<SaveState> {
    if (codeOf(error) === "NOT_FOUND") return "dead";
    if (codeOf(error) !== "PRECONDITION_FAILED") return "refused";
    const opened = await apiClient.submissions.filling.open.mutate(store.place).catch(() => null);
    return opened?.isSent ? "sent" : "refused";
  }

  async function openAgain(): Promise<boolean> {
    try {
      const opened = await apiClient.submissions.filling.open.mutate(store.place);
      if (opened.isSent) tell("sent");
      else if (takeOpened(store, opened)) tell("saved");
      return true;
    } catch (error) {
      // Nobody asked for it, so what passes is not told of.
      if (codeOf(error) === "NOT_FOUND") tell("dead");
      return false;
    }
  }

  async function inTurn(ask: () => Promise<boolean>): Promise<boolean> {
    window.clearTimeout(timer);
    while (running) await running;
    running = ask();
    try {
      return await running;
    } finally {
      running = null;
      if (failures === 0 && store.unsaved.size > 0) after(PAUSE_MS);
    }
  }
  const save = () => inTurn(saveOnce);
  const refresh = async () => {
    if (store.unsaved.size > 0) await save();
    else if (store.revision > 0 || store.leadsBack) await inTurn(openAgain);
  };
  return { save, saveSoon: () => after(PAUSE_MS), refresh, stop: () => window.clearTimeout(timer) };
}

/** What is over in a while: no answer at all, or no room for it just now. */
const PASSES: ReadonlySet<string> = new Set(["", "TOO_MANY_REQUESTS", "SERVICE_UNAVAILABLE"]);
