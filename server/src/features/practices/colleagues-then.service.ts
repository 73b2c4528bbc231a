// Who worked in the practice on a day: whoever left did so until then.
import { dayIn } from "@app/shared/days";
import { type Colleague, colleagues } from "../users/users.service.ts";
import { practiceTimeZone, practiceToday } from "./practices.service.ts";

/** Of some who left it is not known when: they work there no more today, and may have on any day before. */
export async function colleaguesOn(ownerId: string, day: string): Promise<Colleague[]> {
  const [people, today, timeZone] = await Promise.all([
    colleagues(ownerId),
    practiceToday(ownerId),
    practiceTimeZone(ownerId),
  ]);
  const isBetween = ({ from, to }: Colleague["absences"][number]) =>
    dayIn(timeZone, from) < day && day < dayIn(timeZone, to);
  return people.filter(
    ({ isActive, leftAt, absences }) =>
      !absences.some(isBetween) && (isActive || (leftAt ? day <= dayIn(timeZone, leftAt) : day < today)),
  );
}
