import { MEETING_STATUS_NAMES } from "@app/shared/meeting-states";
import type { Meeting } from "@app/shared/meetings";
import { useFormats } from "../../core/format.ts";
import type { Fact } from "../../core/opened-form.tsx";
import { LOCATION_NAMES } from "./meeting-locations.ts";

/** What somebody decides by who moves or cancels a meeting. */
export function useMeetingFacts(): readonly Fact<Meeting>[] {
  const formats = useFormats();
  return [
    {
      key: "when",
      label: "When",
      value: ({ startsAt, endsAt }) => [startsAt, endsAt],
      text: ({ startsAt, endsAt }) => `${formats.dateTime(startsAt)}–${formats.time(endsAt)}`,
    },
    {
      key: "where",
      label: "Where",
      value: ({ location }) => location,
      text: ({ location }) => [LOCATION_NAMES[location.kind], location.place].filter(Boolean).join(", "),
    },
    {
      key: "status",
      label: "State",
      value: ({ status }) => status,
      text: ({ status }) => MEETING_STATUS_NAMES[status],
    },
    {
      key: "people",
      label: "Who comes",
      value: ({ people, others }) => [people, others],
      text: ({ people, others }) => [...people, ...others].map(({ name }) => name).join(", "),
    },
    {
      key: "mediators",
      label: "Mediator",
      value: ({ mediatorNames }) => mediatorNames,
      text: ({ mediatorNames }) => mediatorNames.join(", "),
    },
  ];
}
