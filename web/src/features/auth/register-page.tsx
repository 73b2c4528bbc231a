export function RegisterPage(_props: object) { return null; }
