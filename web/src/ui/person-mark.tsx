import "./person-mark.css";

const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .map((part) => part[0] ?? "")
    .filter((letter, index, all) => index === 0 || index === all.length - 1)
    .join("")
    .toUpperCase();

/** A person's initials in a quiet circle; the name stands beside it, so they are drawn and not text. */
export function PersonMark({ name }: { name: string }) {
  return <span className="person-mark" data-initials={initialsOf(name)} aria-hidden />;
}
