import { can } from "@app/shared/access";
import { Button } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import { useCurrentUser } from "../../core/session.ts";
import { Loading } from "../../core/loaded.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { later } from "../../ui/later.tsx";
import type { CalendarSearch } from "./calendar-search.ts";

const LinksPage = later(async () => (await import("../bookings/links-page.tsx")).LinksPage, <Loading />);

/** The links to book by, in the place of the calendar. */
export function BookingLinksView({ search }: { search: CalendarSearch }) {
  const navigate = useNavigate({ from: "/calendar" });
  const mayManage = can(useCurrentUser(), "calendar.manage");
  const { link, links, page, view: _view, ...calendar } = search;
  const back = (
    <Button variant="default" renderRoot={(props) => <Link to="/calendar" search={calendar} {...props} />}>
      Calendar
    </Button>
  );
  if (!mayManage)
    return (
      <EmptyState title="You may not see the booking links" actions={back}>
        Ask the owner of the practice for the permission to manage the calendar.
      </EmptyState>
    );
  const place = { page: page ?? 1, isArchived: links === "archived", link: link ?? "" };
  return (
    <LinksPage
      place={place}
      back={back}
      onPlace={(changed) => {
        const next = { ...place, ...changed };
        void navigate({
          search: {
            ...calendar,
            view: "links",
            ...(next.page > 1 ? { page: next.page } : {}),
            ...(next.isArchived ? { links: "archived" } : {}),
            ...(next.link ? { link: next.link } : {}),
          },
          // What opens over the list is closed by Back.
          replace: !changed.link,
        });
      }}
    />
  );
}
