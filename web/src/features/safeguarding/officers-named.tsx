import { Text } from "@mantine/core";
import { api } from "../../core/api.ts";
import { useFormats } from "../../core/format.ts";
import "./safeguarding.css";

/** Who could read what anybody suspects, and since when: nobody becomes the officer unseen. */
export function OfficersNamed() {
  const formats = useFormats();
  const officer = api.safeguarding.officer.useQuery();
  const named = officer.data?.named ?? [];
  if (named.length === 0) return null;
  return (
    <ul className="officers-named" aria-label="Nominated officers so far">
      {named.map(({ name, byName, at }) => (
        <Text key={at} component="li" size="sm" c="dimmed">
          {name || "Nobody"}, since {formats.dateTime(at)}, named by {byName}
        </Text>
      ))}
    </ul>
  );
}
