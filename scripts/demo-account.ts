export const DEMO_EMAIL = "ines@quillfeather.example.org";
export const DEMO_PASSWORD = "quiet harbour lantern moss";
