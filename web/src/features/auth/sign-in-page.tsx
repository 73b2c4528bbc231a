export function SignInPage(_props: object) { return null; }
