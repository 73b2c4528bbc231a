import type { Ladder, Rung } from "@app/shared/ladders";
import { plainFields } from "../../ui/version-fields.ts";
import { CHANNEL_NAMES } from "../cases/case-words.ts";

export type LadderValues = Pick<Ladder, "rungs">;

export const recordOf = ({ rungs, version }: Ladder): { values: LadderValues; version: number } => ({
  values: { rungs },
  version,
});

const daysText = (days: number): string => (days === 1 ? "1 day" : `${days} days`);

export const rungText = ({ channel, replyDays }: Rung): string =>
  `${CHANNEL_NAMES[channel]}, ${daysText(replyDays)} to answer`;

export const LADDER_FIELDS = plainFields<LadderValues>(
  { rungs: "Steps" },
  { rungs: (rungs) => rungs.map(rungText).join("; ") },
);
