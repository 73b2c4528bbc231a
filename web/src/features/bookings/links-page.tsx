import { moneyText } from "@app/shared/answer-texts";
import type { BookingLink } from "@app/shared/bookings";
import { MEETING_TYPE_NAMES } from "@app/shared/meeting-states";
import { PAGE_SIZE } from "@app/shared/product";
import { Button, SegmentedControl } from "@mantine/core";
import { IconLink, IconPlus } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { Loaded } from "../../core/loaded.tsx";
import { notify, notifyError } from "../../core/notify.ts";
import { useTitle } from "../../core/title.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { Pager } from "../../ui/pager.tsx";
import { copyLink } from "./copy-link.ts";
import { LinkDialog } from "./link-dialog.tsx";
import { PairsSection } from "./pairs-section.tsx";
import "./links-page.css";

export interface LinksPlace {
  page: number;
  isArchived: boolean;
  /** The open one, or "new"; empty for none. */
  link: string;
}

interface Props {
  place: LinksPlace;
  onPlace: (place: Partial<LinksPlace>) => void;
  /** Leads back to the calendar. */
  back: ReactNode;
}

/** The links by which people outside book: made, copied, changed and archived. */
export function LinksPage({ place: { page, isArchived, link }, onPlace, back }: Props) {
  useTitle("Booking links");
  const links = api.bookings.listLinks.useQuery({ page, isArchived });
  const add = (
    <Button leftSection={<IconPlus size={16} stroke={1.7} aria-hidden />} onClick={() => onPlace({ link: "new" })}>
      New booking link
    </Button>
  );
  return (
    <>
      <PageHead
        title="Booking links"
        actions={
          <>
            {back}
            <SegmentedControl
              size="xs"
              aria-label="Which links"
              value={isArchived ? "archived" : "active"}
              data={[
                { value: "active", label: "In use" },
                { value: "archived", label: "Archived" },
              ]}
              onChange={(value) => onPlace({ isArchived: value === "archived", page: 1 })}
            />
            {add}
          </>
        }
      />
      <div className="booking-links-page">
        <Loaded query={links} failureTitle="The booking links could not be read">
          {({ items, total, isTotalExact }) =>
            items.length === 0 ? (
              <NoLinks isArchived={isArchived} />
            ) : (
              <>
                <ul className="booking-links">
                  {items.map((one) => (
                    <LinkRow key={one.id} link={one} onEdit={() => onPlace({ link: one.id })} />
                  ))}
                </ul>
                {total > PAGE_SIZE && (
                  <Pager
                    page={page}
                    pageSize={PAGE_SIZE}
                    total={total}
                    isTotalExact={isTotalExact}
                    words={["link", "links"]}
                    onPage={(next) => onPlace({ page: next })}
                  />
                )}
              </>
            )
          }
        </Loaded>
        {!isArchived && <PairsSection />}
      </div>
      {link && <LinkDialog linkId={link} onClose={() => onPlace({ link: "" })} />}
    </>
  );
}

const NoLinks = ({ isArchived }: { isArchived: boolean }) => (
  <EmptyState icon={<IconLink size={24} stroke={1.7} />} title={isArchived ? "Nothing archived" : "No booking links"}>
    {isArchived
      ? "A link that is archived opens nothing any more, and can be brought back from here."
      : "People with a booking link see your free times and book one themselves. They see nothing else in your calendar."}
  </EmptyState>
);

const factsOf = ({
  type,
  minutes,
  mediatorNames,
  clientName,
  uses,
  useLimit,
  expiresOn,
  needsConfirmation,
  deposit,
  asksNow,
}: BookingLink) =>
  [
    MEETING_TYPE_NAMES[type],
    `${minutes} minutes`,
    mediatorNames.join(", "),
    clientName && `only for ${clientName}`,
    asksNow && `${moneyText(asksNow.amountMinor, asksNow.currency)} is paid first`,
    deposit && !asksNow && "its payment cannot be taken now, so it waits for confirmation",
    needsConfirmation && "waits for confirmation",
    expiresOn && `until ${expiresOn}`,
    usedWords(uses, useLimit),
  ]
    .filter(Boolean)
    .join(" · ");

function usedWords(uses: number, useLimit: number | null): string {
  if (useLimit !== null) return `used ${uses} of ${useLimit} times`;
  if (uses === 0) return "not used yet";
  return uses === 1 ? "used once" : `used ${uses} times`;
}

function LinkRow({ link, onEdit }: { link: BookingLink; onEdit: () => void }) {
  const { name, isArchived } = link;
  const setArchived = useSetArchived(link);
  return (
    <li>
      <div className="booking-link-words">
        <strong>{name}</strong>
        <span>{factsOf(link)}</span>
      </div>
      {!isArchived && (
        <Button
          size="xs"
          variant="default"
          aria-label={`Copy link ${name}`}
          onClick={() => void copyLink(link, "The link is copied")}
        >
          Copy link
        </Button>
      )}
      <Button size="xs" variant="default" aria-label={`Edit ${name}`} onClick={onEdit}>
        Edit
      </Button>
      <Button
        size="xs"
        variant="subtle"
        aria-label={`${isArchived ? "Bring back" : "Archive"} ${name}`}
        onClick={() => void setArchived(!isArchived)}
      >
        {isArchived ? "Bring back" : "Archive"}
      </Button>
    </li>
  );
}

function useSetArchived({ id, name }: BookingLink) {
  const utils = api.useUtils();
  const { mutateAsync } = api.bookings.setLinkArchived.useMutation({ onSettled: () => utils.bookings.invalidate() });
  return async function set(isArchived: boolean): Promise<void> {
    try {
      await mutateAsync({ id, isArchived });
      if (!isArchived) notify(`${name} can be used again`);
      else notify(`${name} is archived and opens nothing any more`, { label: "Undo", onAct: () => void set(false) });
    } catch (error) {
      notifyError(messageOf(error));
    }
  };
}
