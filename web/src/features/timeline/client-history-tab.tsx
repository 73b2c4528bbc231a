import type { Case } from "@app/shared/cases";
import { keepPreviousData } from "@tanstack/react-query";
import { api } from "../../core/api.ts";
import { LoadedPage } from "../../core/loaded-page.tsx";
import { Section } from "../../ui/section.tsx";
import { Timeline } from "./timeline.tsx";

interface Props {
  clientId: string;
  cases: readonly Case[];
  page: number;
  onPage: (page: number) => void;
}

/** Everything that happened to a client and in their cases. */
export function ClientHistoryTab({ clientId, cases, page, onPage }: Props) {
  const history = api.timeline.list.useQuery({ clientId, page }, { placeholderData: keepPreviousData });
  const parties = cases.flatMap((theCase) => theCase.parties);
  return (
    <Section title="History" count={history.data?.total} action={<span className="quiet-text">Who can read it</span>}>
      <LoadedPage
        query={history}
        failureTitle="The history could not be read"
        empty={
          <p className="quiet-text">Nothing has happened yet. Steps, meetings, notes and files will be listed here.</p>
        }
        page={page}
        words={["entry", "entries"]}
        onPage={onPage}
      >
        {(items) => <Timeline events={items} parties={parties} />}
      </LoadedPage>
    </Section>
  );
}
