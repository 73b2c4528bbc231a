import type { Command } from "./operation.ts";

export const aggregateCommands: Record<string, Command> = {};
