// The templates with which a practice begins. They are the practice's own papers and claim to be no form of any court.
import type { DocumentContent } from "@app/shared/document-content";
import type { DocumentKind } from "@app/shared/document-kind-list";
import type { MediatorType, Region } from "@app/shared/regions";
import { agreementText } from "./agreements.ts";
import { CERTIFICATE } from "./certificates.ts";
import { feeText, invitationText, noResponseText } from "./letters.ts";
import { FAMILY_MOU, FINANCES, OTHER_MOU, PARENTING_PLAN, SUMMARY } from "./outcomes.ts";
import { written } from "./written.ts";

export interface StarterDocument {
  starterKey: string;
  name: string;
  kind: DocumentKind;
  content: DocumentContent;
}

const starter = (starterKey: string, kind: DocumentKind, name: string, text: string): StarterDocument => ({
  starterKey,
  kind,
  name,
  content: written(text),
});

export const CERTIFICATE_KEY = "family-certificate";
export const CERTIFICATE_STARTER = starter(CERTIFICATE_KEY, "certificate", "Certificate", CERTIFICATE);

/** Those of a practice that mostly mediates this, in this region. */
export function starterDocuments(mediates: MediatorType, region: Region): StarterDocument[] {
  const key = (name: string) => `${mediates}-${name}`;
  const isMiam = mediates === "family" && region === "england_wales";
  const ofAll = [
    starter(key("agreement"), "agreement_to_mediate", "Agreement to mediate", agreementText(mediates)),
    starter(key("fees"), "fee_letter", "Fee letter", feeText()),
    starter(
      key("invitation"),
      "invitation",
      isMiam ? "Invitation to a MIAM" : "Invitation to a first meeting",
      invitationText(),
    ),
    starter(key("no-response"), "no_response", "No-response letter", noResponseText()),
    starter(key("summary"), "session_summary", "Session summary", SUMMARY),
  ];
  if (mediates !== "family") return [...ofAll, starter(key("outcome"), "mou", "What was proposed", OTHER_MOU)];
  return [
    ...ofAll,
    starter(key("mou"), "mou", "Memorandum of understanding", FAMILY_MOU),
    starter(key("ofs"), "ofs", "Open financial statement", FINANCES),
    starter(key("plan"), "parenting_plan", "Parenting plan", PARENTING_PLAN),
    ...(isMiam ? [CERTIFICATE_STARTER] : []),
  ];
}
