export function UserPermissionsPage(_props: object) { return null; }
