import type { BookCheck } from "@app/shared/book-checks";
import { can } from "@app/shared/access";
import { Button, Progress } from "@mantine/core";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { useFormats } from "../../core/format.ts";
import { Loaded } from "../../core/loaded.tsx";
import { notifyError } from "../../core/notify.ts";
import { useCurrentUser } from "../../core/session.ts";
import { Chip } from "../../ui/chip.tsx";
import { Section } from "../../ui/section.tsx";

const POLL_MS = 1000;
const isUnderWay = (state: BookCheck["state"] | undefined) => state === "asked" || state === "running";

/** Whether the book is right, as it was looked at last, and the way to look now. */
export function BooksSection() {
  const user = useCurrentUser();
  if (!can(user, "reports.read") || can(user, "assigned_only")) return null;
  return <Books />;
}

function Books() {
  const utils = api.useUtils();
  const found = api.invoices.bookCheck.useQuery(undefined, {
    refetchInterval: ({ state }) => (isUnderWay(state.data?.state) ? POLL_MS : false),
  });
  const check = api.invoices.checkBooks.useMutation({
    onSuccess: (begun) => utils.invoices.bookCheck.setData(undefined, begun),
    onError: (error) => notifyError(messageOf(error)),
  });
  const isBusy = check.isPending || isUnderWay(found.data?.state);
  return (
    <Section
      title="Books"
      action={
        <Button variant="default" size="compact-sm" loading={isBusy} onClick={() => check.mutate()}>
          Check the books
        </Button>
      }
    >
      <Loaded query={found} failureTitle="The last check of the books could not be read">
        {(last) => <Found last={last} />}
      </Loaded>
    </Section>
  );
}

function Found({ last }: { last: BookCheck }) {
  const formats = useFormats();
  const { state, read, entries, checkedAt, problems, problemCount } = last;
  return (
    <div role="status">
      {isUnderWay(state) && (
        <>
          <p>
            {state === "asked" && read === 0
              ? "The books are looked at in a moment."
              : `${formats.number(read)} of ${formats.number(entries)} entries read.`}
          </p>
          <Progress size={6} value={(read / Math.max(1, entries)) * 100} aria-label="Checking the books" />
        </>
      )}
      {checkedAt === null ? (
        !isUnderWay(state) && <p className="quiet-text">Nobody has looked yet. It is done every night by itself.</p>
      ) : (
        <p>
          {problemCount === 0 ? (
            <>
              <Chip tone="agreed">In order</Chip> Every entry balances, and what is owed is what the invoices say.
            </>
          ) : (
            <>
              <Chip tone="danger">{problemCount === 1 ? "1 difference" : `${problemCount} differences`}</Chip> Nothing
              was changed. Show them to whoever looks after this installation before you enter anything to put it right.
            </>
          )}{" "}
          <span className="quiet-text">Last checked {formats.dateTime(checkedAt)}, and every night.</span>
        </p>
      )}
      {problems.length > 0 && (
        <ul className="books-problems">
          {problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
