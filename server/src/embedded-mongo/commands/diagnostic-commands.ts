import type { Command } from "./operation.ts";

export const diagnosticCommands: Record<string, Command> = {};
