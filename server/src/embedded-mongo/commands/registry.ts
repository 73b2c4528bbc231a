import { aggregateCommands } from "./aggregate-command.ts";
import { bulkWriteCommands } from "./bulk-write.ts";
import { collectionCommands } from "./collection-commands.ts";
import { cursorCommands } from "./cursor-commands.ts";
import { diagnosticCommands } from "./diagnostic-commands.ts";
import { explainCommands } from "./explain.ts";
import { findAndModifyCommands } from "./find-and-modify.ts";
import { handshakeCommands } from "./handshake-commands.ts";
import { indexCommands } from "./index-commands.ts";
import type { Command } from "./operation.ts";
import { readCommands } from "./read-commands.ts";
import { transactionCommands } from "./transaction-commands.ts";
import { writeCommands } from "./write-commands.ts";

const commands = new Map<string, Command>(
  [
    handshakeCommands,
    writeCommands,
    readCommands,
    cursorCommands,
    findAndModifyCommands,
    bulkWriteCommands,
    aggregateCommands,
    collectionCommands,
    indexCommands,
    transactionCommands,
    explainCommands,
    diagnosticCommands,
  ].flatMap((family) => Object.entries(family)),
);

export const findCommand = (name: string): Command | undefined => commands.get(name);
export const commandNames = (): string[] => [...commands.keys()];
