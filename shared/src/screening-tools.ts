// Every version of what is asked in a screening, and which is asked now in which kind of case.
import type { MediatorType } from "./regions.ts";
import { FIRST_TOOL } from "./screening-tools/2026-1.ts";
import { SECOND_GENERAL_TOOL } from "./screening-tools/2026-11-25-general.ts";
import { FAMILY_TOOL, GENERAL_TOOL, WORKPLACE_TOOL } from "./screening-tools/2026-11-28.ts";
import { FIRST_FAMILY_TOOL } from "./screening-tools/2026-11-family.ts";
import { FIRST_GENERAL_TOOL } from "./screening-tools/2026-11-general.ts";
import { FIRST_WORKPLACE_TOOL } from "./screening-tools/2026-11-workplace.ts";
import type { AskedTool, Question, ScreeningTool } from "./screening-tools/tool.ts";

const ASKED: readonly AskedTool[] = [FAMILY_TOOL, WORKPLACE_TOOL, GENERAL_TOOL];
const TOOLS: readonly ScreeningTool[] = [
  ...ASKED,
  FIRST_FAMILY_TOOL,
  FIRST_WORKPLACE_TOOL,
  SECOND_GENERAL_TOOL,
  FIRST_GENERAL_TOOL,
  FIRST_TOOL,
];

/** What is asked now in this kind of case. */
export const toolFor = (domain: MediatorType): AskedTool =>
  ASKED.find(({ domains }) => domains.includes(domain)) ?? GENERAL_TOOL;

/** A version as it was asked; undefined where nobody knows it any more. */
export const toolOfVersion = (version: string): ScreeningTool | undefined =>
  TOOLS.find((tool) => tool.version === version);

/** The ids of all questions that were ever asked. */
export const questionIds = (): string[] => TOOLS.flatMap((tool) => questionsOf(tool).map(({ id }) => id));

export const questionsOf = (tool: ScreeningTool): Question[] => tool.groups.flatMap(({ questions }) => questions);
