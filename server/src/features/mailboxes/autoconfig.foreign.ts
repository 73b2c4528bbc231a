import { z } from "zod";
import { foreignWork } from "../../core/foreign-work.ts";
import { parseAutoconfig, type Published } from "./autoconfig.ts";

/** What some web server answered. */
export const work = foreignWork(z.object({ xml: z.string(), email: z.string() }), ({ xml, email }): Published | null =>
  parseAutoconfig(xml, email),
);
