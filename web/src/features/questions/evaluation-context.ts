import type { Evaluation } from "@app/shared/form-evaluation";
import { createContext } from "react";

/** What the logic of the form makes of the answers, for the rows of repeat groups. */
export const EvaluationContext = createContext<Pick<Evaluation, "visible" | "required">>({
  visible: new Set(),
  required: new Set(),
});
