// Content whose reader says how its process stands behind others: their niceness, and who it is.
import { getPriority } from "node:os";
import { foreignWork } from "@app/server/core/foreign-work";
import { z } from "zod";

export const work = foreignWork(z.null(), () => ({ niceness: getPriority(), pid: process.pid }));
