import type { Case, Party } from "@app/shared/cases";
import type { DocumentKind } from "@app/shared/document-kind-list";
import { DOCUMENT_RULES } from "@app/shared/document-kinds";
import type { Scope } from "../../core/trpc.ts";
import { disclosersOf } from "../finances/party-figures.service.ts";

/** Who reads a document for all: of a statement of finances those who disclose, of any other everybody. */
export const readersTogether = (scope: Scope, theCase: Case, kind: DocumentKind | undefined): Promise<Party[]> =>
  kind && DOCUMENT_RULES[kind].isFinancial
    ? disclosersOf(scope, theCase)
    : Promise.resolve(theCase.parties.filter(({ leftAt }) => leftAt === null));
