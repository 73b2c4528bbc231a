export function ProfilePage(_props: object) { return null; }
