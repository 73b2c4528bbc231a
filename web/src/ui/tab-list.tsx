import { Tabs } from "@mantine/core";
import { type ReactNode, useLayoutEffect, useRef } from "react";

interface Props {
  label: string;
  /** The value of the tab that is open. */
  active: string;
  children: ReactNode;
}

/** The tabs of a page in one line: where they are wider than the screen, the open one is brought into sight. */
export function TabList({ label, active, children }: Props) {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const tab = list.current?.querySelector("[data-active]");
    if (!list.current || !tab) return;
    const [around, own] = [list.current.getBoundingClientRect(), tab.getBoundingClientRect()];
    // Not `scrollIntoView`: that would move the page as well.
    list.current.scrollLeft += own.left - around.left - (around.width - own.width) / 2;
  }, [active]);
  return (
    <Tabs.List ref={list} aria-label={label}>
      {children}
    </Tabs.List>
  );
}
