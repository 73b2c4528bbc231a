import { idSchema } from "@app/shared/ids";
import { TRPCError } from "@trpc/server";
import { z } from "zod";
import { sendDownload } from "../../../core/download.ts";
import { notFound } from "../../../core/errors.ts";
import { ofPerson } from "../../../core/fair-turns.ts";
import { defineForeign } from "../../../core/foreign.ts";
import type { RawRoute } from "../../../core/raw-route.ts";
import { wordPaperOf } from "./word-paper-of.ts";
import type { work } from "./word.foreign.ts";

const LIMIT_MS = 8000;
const TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

const tooLong = () =>
  new TRPCError({
    code: "UNPROCESSABLE_CONTENT",
    message: "This text is too long for a Word document. Make two of it.",
  });

const writeWord = defineForeign<typeof work>({
  file: new URL("./word.foreign.ts", import.meta.url),
  output: z.instanceof(Uint8Array),
  limitMs: LIMIT_MS,
  lane: "drawing",
  refuse: (why, reason) => (why === "too-much" ? tooLong() : new Error(reason)),
});

/** GET /export/documents/:id.docx: a template, or a draft of a case, to go on with in Word. */
export const documentInWord: RawRoute = {
  access: "subscribed",
  permissions: ["clients.read", "documents.manage"],
  async answer(asked) {
    const { req, scope, log } = asked;
    const id = idSchema.safeParse(req.params["id"]);
    if (!id.success) throw notFound("Document");
    const paper = await wordPaperOf(scope, id.data);
    const content = Buffer.from(await writeWord(ofPerson(scope), paper));
    log.info({ event: "document taken out for Word", textId: id.data }, "audit");
    await sendDownload(asked, { name: `${paper.title}.docx`, type: TYPE, content });
  },
};
