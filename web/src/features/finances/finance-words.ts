// How figures are told of on the screen.
import { moneyText } from "@app/shared/answer-texts";
import { FIGURE_OWNER_NAMES } from "@app/shared/finance-categories";
import type { Figure, FigureSource } from "@app/shared/finances";
import type { Formats } from "../../core/format.ts";

export const amountText = (amountMinor: number | null, currency: string): string =>
  amountMinor === null ? "Not known yet" : moneyText(amountMinor, currency);

export function sourceText(source: FigureSource, formats: Formats): string {
  const day = formats.calendarDay(source.on);
  return source.kind === "answers"
    ? `${source.formName}, version ${source.formNumber}, sent in ${day}`
    : `Entered by ${source.byName}, ${day}`;
}

/** Whose it is, as whoever gave it says; nothing for what is theirs alone. */
export const ownerText = ({ owner }: Pick<Figure, "owner">): string =>
  owner === "own" ? "" : FIGURE_OWNER_NAMES[owner];
