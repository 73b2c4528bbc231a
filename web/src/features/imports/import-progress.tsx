import { progressOf } from "@app/shared/import-states";
import type { DataImport } from "@app/shared/imports";
import { Button, Progress } from "@mantine/core";
import { useFormats } from "../../core/format.ts";
import { ImportCounts } from "./import-counts.tsx";
import { useImportSteps } from "./use-import.ts";

const TITLES = { checking: "Checking", importing: "Importing", undoing: "Undoing" } as const;
const TIME_MIN_SHARE = 0.05;
const MINUTE_S = 60;

/** How far the server is; it goes on whoever looks. */
export function ImportProgress({ data }: { data: DataImport }) {
  const formats = useFormats();
  const steps = useImportSteps(data.id);
  const { done, total } = progressOf(data);
  const share = total > 0 ? done / total : 0;
  const { status } = data;
  const title = status === "checking" || status === "undoing" ? TITLES[status] : TITLES.importing;
  return (
    <div className="import-progress">
      <div className="import-progress-head">
        <span className="import-progress-title">
          {title} {data.kind}
        </span>
        <span className="tabular">
          {formats.number(done)} of {formats.number(total)}
        </span>
      </div>
      <Progress size={6} value={share * 100} aria-label={`${title} ${data.kind}`} />
      <div className="import-progress-foot" aria-live="polite">
        <span>{timeLeft(data, share)}</span>
        {status !== "undoing" && <ImportCounts data={data} />}
      </div>
      <div className="import-progress-foot">
        <span className="quiet-text">You can leave this page. It goes on.</span>
        {status !== "undoing" && (
          <Button variant="default" loading={steps.isBusy} onClick={() => void steps.cancel()}>
            {status === "checking" ? "Stop checking" : "Stop after these rows"}
          </Button>
        )}
      </div>
    </div>
  );
}

/** By how long it took so far; nothing is said while that tells too little. */
function timeLeft({ startedAt }: DataImport, share: number): string {
  if (share < TIME_MIN_SHARE || startedAt === null) return "";
  const seconds = ((Date.now() - Date.parse(startedAt)) / 1000) * (1 / share - 1);
  if (seconds < MINUTE_S) return "Less than a minute left";
  const minutes = Math.round(seconds / MINUTE_S);
  return `About ${minutes} ${minutes === 1 ? "minute" : "minutes"} left`;
}
