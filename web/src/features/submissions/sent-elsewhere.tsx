import { answerText } from "@app/shared/answer-texts";
import type { OpenedForm } from "@app/shared/submissions";
import { useEffect, useState } from "react";
import { focusTitle } from "./focus-title.ts";
import { Thanks } from "./thanks.tsx";
import type { Filling } from "./use-filling.ts";

interface Props {
  opened: OpenedForm;
  filling: Filling;
}

/** It was sent in on another screen while this one was open: what was typed here since is there to be copied. */
export function SentElsewhere({ opened, filling }: Props) {
  const [typed] = useState(() => typedSince(opened, filling));
  useEffect(focusTitle, []);
  return (
    <Thanks opened={opened} isBefore>
      {typed !== "" && (
        <label className="form-question">
          <span className="form-label">What you typed here since was not sent. You can copy it</span>
          <textarea
            className="form-input"
            readOnly
            rows={6}
            value={typed}
            onFocus={({ currentTarget }) => currentTarget.select()}
          />
        </label>
      )}
    </Thanks>
  );
}

function typedSince({ content }: OpenedForm, { unsavedNow, answerNow }: Filling): string {
  const unsaved = unsavedNow();
  return content.pages
    .flatMap(({ fields }) =>
      fields.flatMap((field) => {
        if (field.type === "statement" || field.type === "hidden" || !unsaved.has(field.id)) return [];
        return `${field.label}: ${answerText(field, answerNow(field.id), content.currency) || "(taken out)"}`;
      }),
    )
    .join("\n");
}
