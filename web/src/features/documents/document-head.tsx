import type { Case } from "@app/shared/cases";
import type { WrittenDocument } from "@app/shared/documents";
import { IconArrowLeft } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Chip } from "../../ui/chip.tsx";
import { LinkButton } from "../../ui/links.tsx";

interface Props {
  document: WrittenDocument;
  theCase: Case | undefined;
  /** In the place of its name, where that can be changed. */
  title?: ReactNode;
  children: ReactNode;
}

/** The way back to its case, what it is called and how far it is, and what can be done with it. */
export function DocumentHead({ document, theCase, title, children }: Props) {
  const clientId = theCase?.parties.find(({ partyId }) => partyId === document.addressee.partyId)?.clientId;
  const back = clientId ?? theCase?.parties[0]?.clientId;
  const isFinished = document.status === "finished";
  return (
    <header className="text-head">
      {back && (
        <LinkButton
          to="/clients/view/$id"
          params={{ id: back }}
          search={{ tab: "documents", case: document.caseId }}
          variant="subtle"
          size="xs"
          px={6}
          aria-label="Back to the documents of the case"
        >
          <IconArrowLeft size={16} stroke={1.7} aria-hidden />
        </LinkButton>
      )}
      {title ?? <h1>{document.name}</h1>}
      <span className="text-meta">{theCase?.caseRef}</span>
      <Chip tone={isFinished ? "agreed" : "outline"}>{isFinished ? "Finished" : "Draft"}</Chip>
      {children}
    </header>
  );
}
