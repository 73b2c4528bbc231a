import { Anchor } from "@mantine/core";
import type { ReactNode } from "react";

const LINK = /https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]]/g;

/** The text of a mail as it was written; only whole web addresses become links. */
export const PlainText = ({ text }: { text: string }) => <div className="message-text">{withLinks(text)}</div>;

function withLinks(text: string): ReactNode[] {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const match of text.matchAll(LINK)) {
    const [address] = match;
    parts.push(
      text.slice(end, match.index),
      <Anchor key={match.index} href={address} target="_blank" rel="noopener noreferrer" inherit>
        {address}
      </Anchor>,
    );
    end = match.index + address.length;
  }
  return [...parts, text.slice(end)];
}
