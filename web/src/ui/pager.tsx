import { ActionIcon } from "@mantine/core";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import "./pager.css";

interface Props {
  page: number;
  pageSize: number;
  total: number;
  /** False where counting stopped: the total then reads "1,000+". */
  isTotalExact?: boolean;
  /** One and many: ["client", "clients"]. */
  words: readonly [string, string];
  onPage: (page: number) => void;
}

const format = new Intl.NumberFormat("en-GB");

export function Pager({ page, pageSize, total, isTotalExact = true, words, onPage }: Props) {
  if (total === 0) return null;
  const first = (page - 1) * pageSize + 1;
  const last = isTotalExact ? Math.min(page * pageSize, total) : page * pageSize;
  const pages = Math.ceil(total / pageSize);
  const shown = `${format.format(total)}${isTotalExact ? "" : "+"} ${total === 1 ? words[0] : words[1]}`;
  return (
    <nav className="pager" aria-label={`Pages of ${words[1]}`}>
      <span aria-live="polite" className="tabular">
        {format.format(first)}–{format.format(last)} of {shown}
      </span>
      <span className="pager-turn">
        <ActionIcon variant="default" aria-label="Page before" disabled={page <= 1} onClick={() => onPage(page - 1)}>
          <IconChevronLeft size={16} stroke={1.7} />
        </ActionIcon>
        <span className="tabular">
          Page {format.format(page)}
          {isTotalExact && ` of ${format.format(pages)}`}
        </span>
        <ActionIcon
          variant="default"
          aria-label="Next page"
          disabled={isTotalExact && page >= pages}
          onClick={() => onPage(page + 1)}
        >
          <IconChevronRight size={16} stroke={1.7} />
        </ActionIcon>
      </span>
    </nav>
  );
}
