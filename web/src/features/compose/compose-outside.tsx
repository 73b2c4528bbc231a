import { Checkbox } from "@mantine/core";
import type { Compose } from "./use-compose.ts";

/** Whoever writes to somebody outside the case says that nothing of the mediation is in it; never ticked for them. */
export function ComposeOutside({ compose: { draft, check, change } }: { compose: Compose }) {
  const outside = check?.outside ?? [];
  if (outside.length === 0) return null;
  const confirmed = draft.saysNothingTo ?? [];
  const who = new Intl.ListFormat("en-GB").format(outside);
  return (
    <div className="compose-line">
      <Checkbox
        required
        label="This message says nothing of what was said in mediation"
        description={`${who}: neither a party of this case nor somebody who represents one. Nothing that was said in mediation may be told there without every participant’s consent or an order.`}
        checked={outside.every((address) => confirmed.includes(address))}
        onChange={({ currentTarget }) => change({ saysNothingTo: currentTarget.checked ? outside : [] })}
      />
    </div>
  );
}
