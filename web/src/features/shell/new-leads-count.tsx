import { api } from "../../core/api.ts";
import { useFormats } from "../../core/format.ts";

const ASKED_AGAIN_MS = 60_000;

/** How many nobody has answered yet; nothing where there is none, or where it is not known. */
export function NewLeadsCount() {
  const { number } = useFormats();
  const query = api.leads.countNew.useQuery(undefined, { refetchInterval: ASKED_AGAIN_MS, staleTime: ASKED_AGAIN_MS });
  const count = query.data?.count ?? 0;
  if (count === 0) return null;
  return (
    <span className="navigation-count" title={`${number(count)} new`} aria-hidden>
      {number(count)}
    </span>
  );
}
