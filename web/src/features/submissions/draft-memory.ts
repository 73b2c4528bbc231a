// What leads back to what was typed after a reload, in this tab alone: never the answers themselves.
import { forget, remember, remembered } from "../../core/tab-memory.ts";

const keyOf = (formId: string): string => `form:${formId}`;

export const rememberDraft = (formId: string, resumeId: string): void => remember(keyOf(formId), resumeId);
export const rememberedDraft = (formId: string): string | null => remembered(keyOf(formId));
export const forgetDraft = (formId: string): void => forget(keyOf(formId));

/** The state that a save on its way makes, so that a reload waits for it. */
const wayOf = (formId: string): string => `form-way:${formId}`;

export const rememberOnTheWay = (formId: string, revision: number): void =>
  remember(wayOf(formId), revision.toString());

/** 0 where nothing is on its way; asked once. */
export function takeOnTheWay(formId: string): number {
  const revision = Number(remembered(wayOf(formId)) ?? 0);
  forget(wayOf(formId));
  return Number.isInteger(revision) ? revision : 0;
}
