export function AccountPage(_props: object) { return null; }
