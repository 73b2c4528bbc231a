import { Button } from "@mantine/core";

export const CalendarButton = ({ calendar }: { calendar: string }) => (
  <Button
    size="lg"
    component="a"
    download="appointment.ics"
    href={`data:text/calendar;charset=utf-8,${encodeURIComponent(calendar)}`}
  >
    Add to your calendar
  </Button>
);
