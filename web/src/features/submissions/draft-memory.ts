// What leads back to what was typed after a reload, in this tab alone: never the answers themselves.
const keyOf = (formId: string): string => `form:${formId}`;

export function rememberDraft(formId: string, resumeId: string): void {
  try {
    window.sessionStorage.setItem(keyOf(formId), resumeId);
  } catch (error) {
    // A browser that keeps nothing: the link to copy is there all the same.
    if (!(error instanceof DOMException)) throw error;
  }
}

export function rememberedDraft(formId: string): string | null {
  try {
    return window.sessionStorage.getItem(keyOf(formId));
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}

export function forgetDraft(formId: string): void {
  try {
    window.sessionStorage.removeItem(keyOf(formId));
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}
