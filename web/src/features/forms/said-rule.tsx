import type { Word } from "@app/shared/form-words";

/** A rule as a sentence; what somebody named stands out in it. */
export const SaidRule = ({ words }: { words: readonly Word[] }) => (
  <>
    {words.map(({ text, isName }, index) =>
      // The words of a sentence have no names of their own, and are drawn anew together.
      // oxlint-disable-next-line react/no-array-index-key
      isName ? <strong key={index}>{text}</strong> : <span key={index}>{text}</span>,
    )}
  </>
);
