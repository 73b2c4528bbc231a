import type { Case } from "@app/shared/cases";
import type { ContactRole } from "@app/shared/contact-roles";
import { CONTACT_ROLE_NAMES } from "@app/shared/contact-words";
import { linkVisibility } from "@app/shared/contacts";
import { NativeSelect, SimpleGrid } from "@mantine/core";
import { choicesOf, pick } from "../cases/case-words.ts";
import { namesOfParties } from "../notes/note-words.ts";
import { VisibilityStrip } from "../visibility/visibility-strip.tsx";

export interface LinkChoice {
  /** Empty until it is chosen. */
  role: ContactRole | "";
  /** Empty where they stand on nobody's side. */
  partyId: string;
}

interface Props {
  theCase: Case;
  value: LinkChoice;
  roleError: string | undefined;
  onChange: (value: LinkChoice) => void;
}

export const ROLE_MISSING = "Choose what they are in this case";

/** What somebody is to a case and on whose side, with who may then know of it. */
export function LinkFields({ theCase, value, roleError, onChange }: Props) {
  const { parties } = theCase;
  const sides = parties.map(({ partyId, label, name }) => ({ value: partyId, label: `${name} (${label})` }));
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        <NativeSelect
          label="Role in this case"
          data={choicesOf(CONTACT_ROLE_NAMES, value.role)}
          value={value.role}
          error={roleError}
          onChange={(event) => onChange({ ...value, role: pick(CONTACT_ROLE_NAMES, event.currentTarget.value) })}
        />
        <NativeSelect
          label="On whose side?"
          data={[{ value: "", label: "Nobody’s" }, ...sides]}
          value={value.partyId}
          onChange={(event) => onChange({ ...value, partyId: event.currentTarget.value })}
        />
      </SimpleGrid>
      <VisibilityStrip
        visibility={linkVisibility({ partyId: value.partyId || null })}
        parties={namesOfParties(theCase)}
      />
    </>
  );
}
