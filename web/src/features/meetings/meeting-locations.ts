import type { Meeting } from "@app/shared/meetings";

export const LOCATIONS = ["in_person", "video", "phone"] as const;
export const LOCATION_NAMES = { in_person: "In person", video: "Video", phone: "Phone" } as const;

export const locationOf = (value: string): Meeting["location"]["kind"] =>
  LOCATIONS.find((kind) => kind === value) ?? "in_person";
