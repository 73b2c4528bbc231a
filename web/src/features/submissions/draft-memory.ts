// What leads back to what was typed after a reload, in this tab alone: never the answers themselves.
import { forget, remember, remembered } from "../../core/tab-memory.ts";

const keyOf = (formId: string): string => `form:${formId}`;

export const rememberDraft = (formId: string, resumeId: string): void => remember(keyOf(formId), resumeId);
export const rememberedDraft = (formId: string): string | null => remembered(keyOf(formId));
export const forgetDraft = (formId: string): void => forget(keyOf(formId));
