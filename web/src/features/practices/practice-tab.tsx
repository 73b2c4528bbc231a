import { can } from "@app/shared/access";
import { MEDIATOR_TYPES, REGIONS } from "@app/shared/regions";
import type { Practice } from "@app/shared/practices";
import { Box } from "@mantine/core";
import { api } from "../../core/api.ts";
import { Loaded } from "../../core/loaded.tsx";
import { useCurrentUser } from "../../core/session.ts";
import { Facts } from "../../ui/facts.tsx";
import { PageGrid } from "../../ui/page-grid.tsx";
import { Section } from "../../ui/section.tsx";
import { LadderSection } from "../ladders/ladder-section.tsx";
import { RoomsSection } from "../rooms/rooms-section.tsx";
import { LogoSection } from "./logo-section.tsx";
import { PracticeForm } from "./practice-form.tsx";

export function PracticeTab() {
  const user = useCurrentUser();
  const practice = api.practices.get.useQuery();
  const mayChange = user.hasAccess && can(user, "practice.manage");
  return (
    <PageGrid main="text">
      <Loaded query={practice} failureTitle="The practice could not be read">
        {(data) => (mayChange ? <PracticeForm practice={data} /> : <PracticeFacts practice={data} />)}
      </Loaded>
      {mayChange && (
        <Box mt="xl">
          <LogoSection />
        </Box>
      )}
      {user.hasAccess && can(user, "clients.read") && <LadderSection />}
      {user.hasAccess && can(user, "clients.read") && (
        <Box mt="xl">
          <RoomsSection />
        </Box>
      )}
    </PageGrid>
  );
}

function PracticeFacts({ practice }: { practice: Practice }) {
  return (
    <Section title="Your practice" action="The owner can change this">
      <Facts
        labelWidth={140}
        facts={[
          { label: "Name", value: practice.practiceName },
          { label: "Mediates in", value: REGIONS[practice.region].label },
          { label: "Mediates", value: MEDIATOR_TYPES[practice.mediatorType] },
          { label: "Time zone", value: practice.timeZone },
          { label: "Currency", value: practice.currency },
          {
            label: "Second factor",
            value: practice.isTwoFactorRequired ? "Required for everybody" : "Everybody’s own choice",
          },
        ]}
      />
    </Section>
  );
}
