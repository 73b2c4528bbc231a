import { BOARD_DAYS, type LeadBoard as Board } from "@app/shared/leads";
import { keepPreviousData } from "@tanstack/react-query";
import { api } from "../../core/api.ts";
import { useFormats } from "../../core/format.ts";
import type { ListPlace } from "../../core/list-page.tsx";
import { Loaded } from "../../core/loaded.tsx";
import { useTitle } from "../../core/title.ts";
import { PageHead } from "../../ui/page-head.tsx";
import { LeadBoard } from "./lead-board.tsx";
import { exactDuration } from "./lead-words.ts";
import { LeadsActions } from "./leads-actions.tsx";
import { BoardFilterBar } from "./leads-filter-bar.tsx";
import { boardInput, type LeadsListSearch } from "./leads-search.ts";
import { NoLeads } from "./no-leads.tsx";
import { useLeadSteps } from "./use-lead-steps.ts";

/** Everything open and what closed lately, by state. */
export function LeadsBoardView({ place }: { place: ListPlace<LeadsListSearch> }) {
  useTitle("Leads");
  const { number } = useFormats();
  const { search } = place;
  const asked = boardInput(search);
  const step = useLeadSteps(search);
  const query = api.leads.board.useQuery(asked, { placeholderData: keepPreviousData });
  const count = query.data?.columns.reduce((sum, column) => sum + column.count, 0);
  return (
    <>
      <PageHead
        title="Leads"
        meta={count !== undefined && `${number(count)} open and closed in ${BOARD_DAYS} days`}
        actions={<LeadsActions search={search} />}
      />
      <BoardFilterBar place={place}>{query.data && <Recent board={query.data} />}</BoardFilterBar>
      <Loaded query={query} failureTitle="The leads could not be read">
        {(board) =>
          count === 0 ? (
            <NoLeads search={asked} onClear={place.clear} />
          ) : (
            <LeadBoard board={board} place={search} onStep={step} />
          )
        }
      </Loaded>
    </>
  );
}

function Recent({ board: { recent } }: { board: Board }) {
  const { number } = useFormats();
  const { came, converted, medianResponseMinutes } = recent;
  if (came === 0) return null;
  return (
    <span className="leads-recent">
      {medianResponseMinutes !== null && (
        <>
          First reply, middle value <b>{exactDuration(medianResponseMinutes)}</b>.{" "}
        </>
      )}
      Converted in {BOARD_DAYS} days{" "}
      <b>
        {number(converted)} of {number(came)}
      </b>
      .
    </span>
  );
}
