import { type BookingPair, PAIR_STATE_NAMES } from "@app/shared/booking-pairs";
import { MEETING_TYPE_NAMES } from "@app/shared/meeting-states";
import { PAGE_SIZE } from "@app/shared/product";
import { Button } from "@mantine/core";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { type Formats, useFormats } from "../../core/format.ts";
import { Loaded } from "../../core/loaded.tsx";
import { notify, notifyError } from "../../core/notify.ts";
import { AddButton } from "../../ui/add-button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Pager } from "../../ui/pager.tsx";
import { Section } from "../../ui/section.tsx";
import { copyLink } from "./copy-link.ts";
import { PairDialog } from "./pair-dialog.tsx";

/** Links by which two parties find a time, each for themselves. */
export function PairsSection() {
  const [page, setPage] = useState(1);
  const [isMaking, setIsMaking] = useState(false);
  const pairs = api.bookings.listPairs.useQuery({ page });
  return (
    <Section
      title="For two parties"
      count={pairs.data?.total || undefined}
      action={<AddButton onClick={() => setIsMaking(true)}>Make links for two parties</AddButton>}
    >
      <Loaded query={pairs} failureTitle="The links for two parties could not be read">
        {({ items, total, isTotalExact }) =>
          items.length === 0 ? (
            <p className="quiet-text">
              None yet. Two parties find a time by these, and neither learns what the other chose.
            </p>
          ) : (
            <>
              <ul className="booking-links">
                {items.map((pair) => (
                  <PairRow key={pair.id} pair={pair} />
                ))}
              </ul>
              {total > PAGE_SIZE && (
                <Pager
                  page={page}
                  pageSize={PAGE_SIZE}
                  total={total}
                  isTotalExact={isTotalExact}
                  words={["pair of links", "pairs of links"]}
                  onPage={setPage}
                />
              )}
            </>
          )
        }
      </Loaded>
      {isMaking && <PairDialog onClose={() => setIsMaking(false)} />}
    </Section>
  );
}

const factsOf = ({ type, minutes, state, startsAt, sides }: BookingPair, formats: Formats): string =>
  [
    MEETING_TYPE_NAMES[type],
    `${minutes} minutes`,
    startsAt ? `${PAIR_STATE_NAMES[state]}: ${formats.dateTime(startsAt)}` : PAIR_STATE_NAMES[state],
    ...sides.map(({ label, pickCount, hasConfirmed }) =>
      state === "held"
        ? `${label} ${hasConfirmed ? "confirmed" : "has not confirmed"}`
        : `${label} chose ${pickCount === 1 ? "1 time" : `${pickCount} times`}`,
    ),
  ].join(" · ");

function PairRow({ pair }: { pair: BookingPair }) {
  const formats = useFormats();
  const utils = api.useUtils();
  const [isAsking, setIsAsking] = useState(false);
  const end = api.bookings.endPair.useMutation({ onSettled: () => utils.bookings.invalidate() });
  const isOpen = pair.state === "asking" || pair.state === "held";
  return (
    <li>
      <div className="booking-link-words">
        <strong>{pair.caseRef}</strong>
        <span>{factsOf(pair, formats)}</span>
      </div>
      {isOpen &&
        pair.sides.map((side) => (
          <Button
            key={side.partyId}
            size="xs"
            variant="default"
            aria-label={`Copy link for ${side.label}: ${side.name} in ${pair.caseRef}`}
            onClick={() => void copyLink(side, `The link for ${side.name} is copied. Send it to nobody else.`)}
          >
            Copy link for {side.label}
          </Button>
        ))}
      {isOpen && (
        <Button
          size="xs"
          variant="subtle"
          aria-label={`End links of ${pair.caseRef}`}
          onClick={() => setIsAsking(true)}
        >
          End
        </Button>
      )}
      {isAsking && (
        <ConfirmDialog
          isOpen
          title="End these links?"
          confirmLabel="End the links"
          onClose={() => setIsAsking(false)}
          onConfirm={async () => {
            try {
              await end.mutateAsync({ id: pair.id });
              notify("The links open nothing any more");
            } catch (error) {
              notifyError(messageOf(error));
            }
            setIsAsking(false);
          }}
        >
          Neither opens anything any more, and a time that is kept for them is free again.
        </ConfirmDialog>
      )}
    </li>
  );
}
