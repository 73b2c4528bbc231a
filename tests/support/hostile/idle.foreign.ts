// Content whose reader waits, for as long as it says, and works on nothing.
import { setTimeout as sleep } from "node:timers/promises";
import { foreignWork } from "@app/server/core/foreign-work";
import { z } from "zod";

export const work = foreignWork(z.number(), (ms): Promise<number> => sleep(ms, ms));
