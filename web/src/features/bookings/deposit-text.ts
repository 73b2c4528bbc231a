import { formatMoney } from "@app/shared/money";
import type { BookingPage } from "@app/shared/bookings";

type Asked = Pick<Extract<BookingPage, { kind: "book" }>, "deposit" | "locale">;

/** What is to be paid, as it is written; empty where nothing is. */
export const depositText = ({ deposit, locale }: Asked): string =>
  deposit === null ? "" : formatMoney(deposit, locale);
