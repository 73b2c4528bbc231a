import { ActionIcon, UnstyledButton } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import { useIsPhone } from "../../ui/use-is-phone.ts";
import { later } from "../../ui/later.tsx";

const SearchBox = later(async () => (await import("./search-box.tsx")).SearchBox);

/** The way to everything: Ctrl or Cmd with K opens it from anywhere. */
export function Search() {
  const [openings, setOpenings] = useState(0);
  const isPhone = useIsPhone();
  const open = () => setOpenings((count) => count + 1);
  useHotkeys([["mod+K", open]], []);
  return (
    <>
      {isPhone ? (
        <ActionIcon aria-label="Search" className="top-bar-touch" onClick={open}>
          <IconSearch size={20} stroke={1.7} />
        </ActionIcon>
      ) : (
        <UnstyledButton className="top-bar-search" onClick={open}>
          <IconSearch size={16} stroke={1.7} aria-hidden />
          Search clients, cases, contacts, files
          <kbd>Ctrl K</kbd>
        </UnstyledButton>
      )}
      {openings > 0 && <SearchBox openings={openings} />}
    </>
  );
}
