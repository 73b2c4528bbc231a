import type { Case } from "@app/shared/cases";
import { Button } from "@mantine/core";
import { api } from "../../core/api.ts";
import { Loaded } from "../../core/loaded.tsx";
import { Section } from "../../ui/section.tsx";
import { Timeline } from "./timeline.tsx";

const SHOWN = 6;

interface Props {
  clientId: string;
  cases: readonly Case[];
  onAll: () => void;
}

/** The last things that happened, for the first look. */
export function LatestEvents({ clientId, cases, onAll }: Props) {
  const history = api.timeline.list.useQuery({ clientId });
  const all = (
    <Button size="xs" variant="subtle" onClick={onAll}>
      All entries
    </Button>
  );
  return (
    <Section title="Timeline" action={history.data && history.data.total > 0 ? all : undefined}>
      <Loaded query={history} failureTitle="The history could not be read">
        {({ items }) =>
          items.length === 0 ? (
            <p className="quiet-text">Nothing has happened yet.</p>
          ) : (
            <Timeline events={items.slice(0, SHOWN)} parties={cases.flatMap(({ parties }) => parties)} />
          )
        }
      </Loaded>
    </Section>
  );
}
