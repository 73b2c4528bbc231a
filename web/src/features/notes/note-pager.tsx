import { PAGE_SIZE } from "@app/shared/product";
import { Pager } from "../../ui/pager.tsx";

interface Props {
  page: number;
  total: number;
  isTotalExact: boolean;
  onPage: (page: number) => void;
}

/** The way to the other pages of notes; nothing where all stand on one. */
export function NotePager({ total, ...place }: Props) {
  if (total <= PAGE_SIZE) return null;
  return <Pager pageSize={PAGE_SIZE} total={total} words={["note", "notes"]} {...place} />;
}
