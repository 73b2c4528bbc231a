export const PLACES = { in_person: "In person", video: "By video", phone: "By phone" } as const;
