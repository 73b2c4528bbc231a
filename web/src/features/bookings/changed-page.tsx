import { takeFocus } from "./take-focus.ts";

interface Props {
  changes: readonly string[];
  /** Whether the time that they chose is theirs still; null while it is asked for, or where they chose none. */
  isTimeKept: boolean | null;
}

/** Said once the practice changed the page that somebody has open. */
export const ChangedPage = ({ changes, isTimeKept }: Props) => (
  <div ref={takeFocus} tabIndex={-1} className="plain-text" role="status">
    <p>
      <strong>We changed this page while you had it open.</strong> Nothing was booked yet.
    </p>
    <ul>
      {changes.map((words) => (
        <li key={words}>{words}</li>
      ))}
    </ul>
    {isTimeKept === true && <p>The time that you chose is still held for you.</p>}
    {isTimeKept === false && <p>The time that you chose is not free for this. Please choose another one.</p>}
  </div>
);
