// Answers as a document to print or keep.
import type { Submission } from "@app/shared/submissions";
import { fact, heading, paragraph, type PdfDocument, title } from "../../core/pdf-document.ts";
import { practiceDates, practiceNameOf } from "../practices/practices.service.ts";

interface Answered extends Pick<Submission, "pages" | "submittedAt"> {
  title: string;
  /** Whose they are; empty where the reader knows. */
  name: string;
}

export async function answersDocument(ownerId: string, answered: Answered): Promise<PdfDocument> {
  const { submittedAt, pages, name } = answered;
  const [practiceName, { longDay, time }] = [await practiceNameOf(ownerId), await practiceDates(ownerId)];
  const at = submittedAt ? new Date(submittedAt) : null;
  return {
    title: answered.title,
    footer: `${practiceName}, confidential`,
    parts: [
      title(answered.title),
      paragraph([name, at && `sent in on ${longDay(at)} at ${time(at)}`].filter(Boolean).join(", ")),
      ...pages.flatMap((page) => [
        heading(page.title),
        ...page.lines.map(({ label, text, files }) =>
          fact(label, files.length > 0 ? files.map((file) => file.name).join(", ") : text),
        ),
      ]),
    ],
  };
}
