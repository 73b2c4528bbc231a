// The layout of a mail that some program sends by our gateway, made neutral.
import { z } from "zod";
import { foreignWork } from "../../core/foreign-work.ts";
import { neutralLayout } from "./neutral-layout.service.ts";

export const work = foreignWork(z.string(), neutralLayout);
