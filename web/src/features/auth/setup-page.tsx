export function SetupPage(_props: object) { return null; }
