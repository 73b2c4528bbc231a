import { IconDoorExit } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useNeutralTitle } from "../../core/title.ts";
import { PracticeMark } from "../../ui/practice-mark.tsx";
import { leavePage, useTripleEscape } from "./leave-page.ts";
import "./public-form.css";

interface Props {
  practiceName: string;
  /** How much is done, from 0 to 1; null where there is nothing to go through. */
  done: number | null;
  /** What is still to be saved goes on its way before. */
  onLeave?: () => void;
  /** Of the browser's tab: it says nothing of what is on the page. */
  title?: string;
  children: ReactNode;
}

const NEUTRAL_TITLE = "Questions";

/** The head that stays in reach, with the way out; and what it does, at the foot. */
export function FormFrame({ practiceName, done, onLeave = leavePage, title = NEUTRAL_TITLE, children }: Props) {
  useTripleEscape(onLeave);
  useNeutralTitle(title);
  return (
    <div className="form-frame">
      <div className="form-head">
        <div className="form-head-row">
          <PracticeMark name={practiceName} />
          <button type="button" className="form-leave" onClick={onLeave}>
            <IconDoorExit size={20} stroke={1.7} aria-hidden />
            Leave this page
          </button>
        </div>
        <div
          className="form-progress"
          role="progressbar"
          aria-label="How much is done"
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.round((done ?? 0) * 100)}
          hidden={done === null}
        >
          <span style={{ transform: `scaleX(${done ?? 0})` }} />
        </div>
      </div>
      {children}
      <p className="form-foot">
        “Leave this page” takes you to a weather site at once and clears this page. You can also press Escape three
        times.
      </p>
    </div>
  );
}
