import type { Command } from "./operation.ts";

export const bulkWriteCommands: Record<string, Command> = {};
