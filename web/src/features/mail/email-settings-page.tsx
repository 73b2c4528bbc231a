export function EmailSettingsPage(_props: object) { return null; }
