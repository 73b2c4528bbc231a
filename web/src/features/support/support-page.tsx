export function SupportPage(_props: object) { return null; }
