import { can } from "@app/shared/access";
import { keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { useCurrentUser } from "../../core/session.ts";
import { later } from "../../ui/later.tsx";
import "./safeguarding.css";

// Few ever open it, and it brings the form of an entry.
const EntryList = later(async () => (await import("./entry-list.tsx")).EntryList);

/** The safeguarding record of cases that are gone, for those who may read it; read, and logged, once somebody opens it. */
export function RemovedCases() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className="safeguarding-removed" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>Safeguarding record of removed cases</summary>
      {isOpen && <EntriesOfRemoved />}
    </details>
  );
}

function EntriesOfRemoved() {
  const user = useCurrentUser();
  const [page, setPage] = useState(1);
  const entries = api.safeguarding.listOfRemoved.useQuery({ page }, { placeholderData: keepPreviousData });
  return (
    <EntryList
      query={entries}
      empty={<p className="quiet-text">Nothing is recorded that you may read.</p>}
      page={page}
      onPage={setPage}
      mayChange={can(user, "clients.write")}
    />
  );
}
