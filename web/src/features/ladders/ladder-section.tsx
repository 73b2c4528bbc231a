import { can } from "@app/shared/access";
import type { CaseDomain } from "@app/shared/case-transitions";
import type { Ladder } from "@app/shared/ladders";
import { NativeSelect, Stack } from "@mantine/core";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { Loaded } from "../../core/loaded.tsx";
import { useCurrentUser } from "../../core/session.ts";
import { Section } from "../../ui/section.tsx";
import { DOMAIN_NAMES, optionsOf, pick } from "../cases/case-words.ts";
import { LadderForm } from "./ladder-form.tsx";
import { rungText } from "./ladder-record.ts";
import "./ladders.css";

/** How the practice tries to reach the other participant, for each kind of case. */
export function LadderSection() {
  const user = useCurrentUser();
  const ladders = api.ladders.list.useQuery();
  const [domain, setDomain] = useState<CaseDomain>(user.mediatorType);
  const mayChange = can(user, "practice.manage");
  return (
    <div className="ladder-section">
      <Section title="Inviting the other participant" action={mayChange ? undefined : "The owner can change this"}>
        <Stack gap="lg" pt="md">
          <NativeSelect
            label="Kind of case"
            description="Each kind has steps of its own. After each step there is a task for the next one."
            data={optionsOf(DOMAIN_NAMES)}
            value={domain}
            onChange={(event) => setDomain(pick(DOMAIN_NAMES, event.currentTarget.value))}
          />
          <Loaded query={ladders} failureTitle="The steps could not be read">
            {({ items }) => {
              const ladder = items.find((each) => each.domain === domain);
              if (!ladder) return null;
              return mayChange ? <LadderForm key={domain} ladder={ladder} /> : <LadderFacts ladder={ladder} />;
            }}
          </Loaded>
        </Stack>
      </Section>
    </div>
  );
}

const LadderFacts = ({ ladder: { rungs } }: { ladder: Ladder }) => (
  <ol className="ladder-facts">
    {rungs.map((rung, index) => (
      <li key={index}>{rungText(rung)}</li>
    ))}
  </ol>
);
