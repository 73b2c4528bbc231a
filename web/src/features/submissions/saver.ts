// The way of what is typed to the server: one save at a time, soon after the last key, and again and again while the
// line is broken.
import { apiClient } from "../../core/api-client.ts";
import { codeOf, messageOf } from "../../core/errors.ts";
import { rememberDraft } from "./draft-memory.ts";
import { type FillingStore, savingOf, takeSaved } from "./filling-store.ts";

const PAUSE_MS = 1200;
const RETRIES_MS = [3000, 6000, 15_000, 30_000] as const;

export type SaveState = "idle" | "typed" | "saving" | "saved" | "offline" | "refused" | "dead";

export interface Saver {
  /** Saves what is there now; true once the server has all of it. */
  save: () => Promise<boolean>;
  /** Soon, when nothing more is typed. */
  saveSoon: () => void;
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
      tell(passes ? "offline" : codeOf(error) === "NOT_FOUND" ? "dead" : "refused", messageOf(error));
      if (passes) after(RETRIES_MS[Math.min(failures, RETRIES_MS.length - 1)] ?? PAUSE_MS);
      failures += 1;
      return false;
    }
  }

  async function save(): Promise<boolean> {
    window.clearTimeout(timer);
    while (running) await running;
    running = saveOnce();
    try {
      return await running;
    } finally {
      running = null;
      if (failures === 0 && store.unsaved.size > 0) after(PAUSE_MS);
    }
  }
  return { save, saveSoon: () => after(PAUSE_MS), stop: () => window.clearTimeout(timer) };
}

/** What is over in a while: no answer at all, or no room for it just now. */
const PASSES: ReadonlySet<string> = new Set(["", "TOO_MANY_REQUESTS", "SERVICE_UNAVAILABLE"]);
