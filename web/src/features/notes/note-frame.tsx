import type { Visibility } from "@app/shared/visibility";
import type { ReactNode } from "react";
import { VisibilityStrip } from "../visibility/visibility-strip.tsx";
import type { NamedParty } from "../visibility/visibility-words.ts";
import { ownerOf } from "./note-words.ts";
import "./notes.css";

interface Props {
  visibility: Visibility;
  parties: readonly NamedParty[];
  time?: string;
  /** Whose words these are, where they were not said in a meeting with them alone. */
  said?: string | undefined;
  /** Somebody writes in it now. */
  isComposer?: boolean;
  label: string;
  children: ReactNode;
}

/** A note in the frame of those who may read it: strip, hue and edge say the same. */
export function NoteFrame({ visibility, parties, time, said, isComposer = false, label, children }: Props) {
  return (
    <article
      className="note"
      data-owner={ownerOf(visibility, parties)}
      data-composer={isComposer || undefined}
      aria-label={label}
    >
      <VisibilityStrip
        visibility={visibility}
        parties={parties}
        said={said}
        {...(time === undefined ? {} : { time })}
      />
      {children}
    </article>
  );
}
