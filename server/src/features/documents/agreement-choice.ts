// What an agreement to mediate says of confidences: chosen as it is written, and read from its words as it is sent out.
import { AGREED_WORDS, confidencesSaidIn } from "@app/shared/agreement-words";
import type { Case } from "@app/shared/cases";
import type { Confidences } from "@app/shared/confidences";
import type { DocumentContent } from "@app/shared/document-content";
import type { DocumentValues } from "@app/shared/document-fields";
import { linesOf } from "@app/shared/document-walk";
import type { CreateDocument } from "@app/shared/documents";
import type { DocumentKind } from "@app/shared/document-kind-list";
import { badField } from "../../core/errors.ts";

interface Chosen extends Pick<CreateDocument, "confidences"> {
  kind: DocumentKind;
}

/** Of other documents, and where nobody chose yet, it is still to be written. */
export function agreementValues(theCase: Case, { kind, confidences }: Chosen): DocumentValues {
  const said = confidences ?? theCase.confidences;
  return kind === "agreement_to_mediate" && said !== null ? { "agreement.confidences": AGREED_WORDS[said] } : {};
}

export const agreedIn = (content: DocumentContent): Confidences | null => confidencesSaidIn(linesOf(content).join(" "));

/** Throws where the words of the template say the opposite of what was chosen. */
export function assertSaysChosen(content: DocumentContent, chosen: Confidences | null): void {
  const said = agreedIn(content);
  if (chosen !== null && said !== null && said !== chosen)
    throw badField(
      "confidences",
      "The words of this template say the opposite. Change the template first, or put its field “What the agreement says of confidences” there.",
    );
}
