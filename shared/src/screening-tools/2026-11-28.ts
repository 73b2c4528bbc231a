// As they were asked before, but for one question: whoever has an interpreter or a supporter with them is not overheard by that.
import type { MediatorType } from "../regions.ts";
import { FIRST_FAMILY_TOOL } from "./2026-11-family.ts";
import { FIRST_WORKPLACE_TOOL } from "./2026-11-workplace.ts";
import { SECOND_GENERAL_TOOL } from "./2026-11-25-general.ts";
import type { AskedTool } from "./tool.ts";

const OVERHEARD =
  "Apart from your interpreter or supporter, if you have one: is anybody with you, or able to hear or read this?";

const reworded = (
  { groups }: AskedTool,
  { version, domains }: { version: string; domains: readonly MediatorType[] },
): AskedTool => ({
  version,
  domains,
  groups: groups.map(({ title, questions }) => ({
    title,
    questions: questions.map((question) => (question.id === "overheard" ? { ...question, text: OVERHEARD } : question)),
  })),
});

export const FAMILY_TOOL = reworded(FIRST_FAMILY_TOOL, { version: "2026-11-28-family", domains: ["family"] });
export const WORKPLACE_TOOL = reworded(FIRST_WORKPLACE_TOOL, {
  version: "2026-11-28-workplace",
  domains: ["workplace"],
});
/** For neighbours, contracts and whatever else is no family and no workplace: shorter, with each topic asked by itself. */
export const GENERAL_TOOL = reworded(SECOND_GENERAL_TOOL, {
  version: "2026-11-28-general",
  domains: ["civil", "community", "other"],
});
