// The layout of a mail that some program sends by our gateway, as text.
import { z } from "zod";
import { foreignWork } from "../../../core/foreign-work.ts";
import { textOfHtml } from "./layout-text.ts";

export const work = foreignWork(z.string(), textOfHtml);
