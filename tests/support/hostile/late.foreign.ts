// Content whose reader takes long to load, and no time to read.
import { setTimeout as sleep } from "node:timers/promises";
import { foreignWork } from "@app/server/core/foreign-work";
import { z } from "zod";

export const LOADING_MS = 700;
await sleep(LOADING_MS);

export const work = foreignWork(z.number(), (given): number => given);
