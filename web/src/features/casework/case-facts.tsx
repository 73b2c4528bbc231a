import type { Case } from "@app/shared/cases";
import { confidencesName } from "@app/shared/confidences";
import { standingDisclosures } from "@app/shared/disclosures";
import { isVoiceOpen } from "@app/shared/child-inclusive";
import { Button } from "@mantine/core";
import { useFormats } from "../../core/format.ts";
import { endingFacts, outcomeFacts, roundFacts } from "./outcome-facts.ts";
import { useToday } from "../../core/today.ts";
import { Facts } from "../../ui/facts.tsx";
import { Section } from "../../ui/section.tsx";
import { DOMAIN_NAMES, FORMAT_NAMES, ISSUE_NAMES, SOURCE_NAMES } from "../cases/case-words.ts";

/** What is recorded of a case, at the side of its tab. */
export function CaseFacts({ theCase, onEdit }: { theCase: Case; onEdit: (() => void) | undefined }) {
  const formats = useFormats();
  const { children, flags, referral, nextReviewOn } = theCase;
  const today = useToday();
  const asked = theCase.domain === "family" ? children.filter((child) => isVoiceOpen(child, today)) : [];
  const unheard = asked.map(({ firstName }) => firstName);
  const edit = onEdit && (
    <Button size="xs" variant="subtle" onClick={onEdit}>
      Edit
    </Button>
  );
  return (
    <Section title="Case" action={edit}>
      <Facts
        labelWidth={92}
        facts={[
          { label: "Matter", value: theCase.matter || "Not recorded" },
          { label: "Kind", value: DOMAIN_NAMES[theCase.domain] },
          { label: "Issues", value: ISSUE_NAMES[theCase.issueScope] },
          ...(theCase.domain === "family" || children.length > 0
            ? [{ label: "Children", value: children.map(({ firstName }) => firstName).join(", ") || "None recorded" }]
            : []),
          ...(unheard.length > 0
            ? [{ label: "To ask", value: `Whether ${unheard.join(" and ")}, ten or over, will be heard` }]
            : []),
          { label: "Mediator", value: theCase.mediatorNames.join(", ") || "Nobody yet" },
          { label: "Format", value: FORMAT_NAMES[theCase.format] },
          { label: "Confidences", value: confidencesName(theCase.confidences) },
          ...(theCase.newAgreement ? [{ label: "New agreement", value: "Not everybody has signed it" }] : []),
          ...(standingDisclosures(theCase).length > 0
            ? [{ label: "Disclosure", value: "Some may be told outside" }]
            : []),
          { label: "Came by", value: SOURCE_NAMES[referral.source] },
          ...(flags.isUrgent ? [{ label: "Urgent", value: "Yes" }] : []),
          ...(flags.mustNotMeet ? [{ label: "Contact", value: "The parties must not meet" }] : []),
          ...(nextReviewOn ? [{ label: "Review", value: formats.calendarDay(nextReviewOn) }] : []),
          ...roundFacts(theCase, formats),
          ...outcomeFacts(theCase, formats),
          ...endingFacts(theCase, formats),
          ...(theCase.reason ? [{ label: "Reason", value: theCase.reason }] : []),
        ]}
      />
    </Section>
  );
}
