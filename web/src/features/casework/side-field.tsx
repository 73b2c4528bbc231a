import type { Case } from "@app/shared/cases";
import { TextInput, type TextInputProps } from "@mantine/core";
import { useId } from "react";
import { sidesNamed } from "./case-sides.ts";

interface Props extends TextInputProps {
  theCase: Case;
}

/** With whom somebody stands: the sides that the case knows are offered while one types. */
export function SideField({ theCase, ...field }: Props) {
  const list = useId();
  return (
    <>
      <TextInput
        label="Side (optional)"
        description="Those of one side, such as grandparents, have the same name here. They count once."
        list={list}
        {...field}
      />
      <datalist id={list}>
        {sidesNamed(theCase).map((side) => (
          <option key={side} value={side} />
        ))}
      </datalist>
    </>
  );
}
