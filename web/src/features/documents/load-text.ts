import { apiUtils } from "../../core/api.ts";
import { codeOf } from "../../core/errors.ts";

/** The text of the editor; one that is not there is said on the page. */
export async function loadText(id: string): Promise<void> {
  try {
    await apiUtils.documents.open.ensureData({ id });
  } catch (error) {
    const code = codeOf(error);
    if (code !== "NOT_FOUND" && code !== "BAD_REQUEST") throw error;
  }
}
