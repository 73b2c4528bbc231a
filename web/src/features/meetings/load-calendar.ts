import { dayIn } from "@app/shared/days";
import { apiUtils } from "../../core/api.ts";
import { mayNow, sessionState } from "../../core/session-state.ts";
import { isPhoneNow } from "../../ui/use-is-phone.ts";
import { calendarAt, type Shown } from "./calendar-range.ts";

/** What the calendar shows at this address, and whose it may be. */
export async function loadCalendar(shown: Shown): Promise<void> {
  const user = sessionState().status?.user;
  if (!user || !mayNow("clients.read")) return;
  const { timeZone } = user;
  const place = { isPhone: isPhoneNow(), today: dayIn(timeZone, new Date()), timeZone };
  const { view, input } = calendarAt(shown, place);
  await Promise.all([
    apiUtils.meetings[view === "month" ? "month" : "calendar"].ensureData(input),
    apiUtils.users.colleagues.ensureData(),
  ]);
}
