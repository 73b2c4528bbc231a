import type { Case } from "@app/shared/cases";
import { answersFor } from "@app/shared/team-access";
import { ONLY_THEY_RECORD } from "@app/shared/disclosures";
import { Stack } from "@mantine/core";
import { useCurrentUser } from "../../core/session.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { DisclosureForm } from "./disclosure-form.tsx";
import { DisclosureRow } from "./disclosure-row.tsx";

interface Props {
  theCase: Case;
  onClose: () => void;
}

/** What may be told outside the mediation, and on whose word: every party's consent, an order of a court, or a law. */
export function DisclosureDialog({ theCase, onClose }: Props) {
  const { disclosures } = theCase;
  const user = useCurrentUser();
  return (
    <Dialog isOpen onClose={onClose} title="What may be told outside" size="form">
      <Stack gap="lg">
        <p>
          Nothing of a mediation goes to a court or anyone else outside it unless every party consents, a court orders
          it, or a law overrides.
        </p>
        {disclosures.length === 0 && <p className="quiet-text">Nothing is recorded that may be told.</p>}
        {disclosures.length > 0 && (
          <ul className="disclosures" aria-label="Recorded">
            {disclosures.map((disclosure) => (
              <DisclosureRow key={disclosure.id} theCase={theCase} disclosure={disclosure} />
            ))}
          </ul>
        )}
        {answersFor(user, theCase.mediators) ? (
          <DisclosureForm theCase={theCase} onClose={onClose} />
        ) : (
          <p className="quiet-text">{ONLY_THEY_RECORD}</p>
        )}
      </Stack>
    </Dialog>
  );
}
