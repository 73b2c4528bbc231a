import type { Command } from "./operation.ts";

export const explainCommands: Record<string, Command> = {};
