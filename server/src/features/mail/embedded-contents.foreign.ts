// What stands in the text of a mail that some program sends by our gateway.
import { z } from "zod";
import { foreignWork } from "../../core/foreign-work.ts";
import { embeddedContents } from "./embedded-contents.service.ts";

export const work = foreignWork(z.string(), (text): Uint8Array[] => embeddedContents(text));
