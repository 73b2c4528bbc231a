export function ResetPasswordPage(_props: object) { return null; }
